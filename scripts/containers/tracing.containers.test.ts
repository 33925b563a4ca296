import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeTempFolder, type TempFolder } from "../../shared/testing/src/index.ts";
import { describeStack } from "./compose.ts";

const stack = describeStack({
  project: `proofroom-tracing-${process.pid}`,
  restPort: 18_082,
  mcpPort: 18_083,
});
let folder: TempFolder;

beforeAll(async () => {
  folder = await makeTempFolder();
});

afterAll(async () => {
  await stack.down();
  await folder.close();
}, 120_000);

/** Stand-ins that listen where the collector's health and Jaeger's pages are; of the one, only where it is said to. */
async function standIns(jaegerListens: boolean): Promise<string> {
  const listening = (port: number) => [
    "--eval",
    `require("node:http").createServer((_, response) => response.end()).listen(${port})`,
  ];
  const node = { image: "node:24-bookworm-slim", entrypoint: ["node"] };
  const services = {
    "otel-collector": { ...node, command: listening(13_133) },
    jaeger: { ...node, command: listening(jaegerListens ? 16_686 : 16_687) },
    tracing: { healthcheck: { interval: "1s", retries: 3, start_period: "1s" } },
  };
  const file = join(folder.path, `stand-ins-${jaegerListens}.json`);
  await writeFile(file, JSON.stringify({ services }));
  return file;
}

it.each([
  ["is up once its collector and Jaeger answer", true],
  ["is not up while Jaeger does not answer", false],
])("the stack that is traced %s", async (_told, answers) => {
  const files = ["-f", "docker-compose.yml", "-f", await standIns(answers), "--profile", "tracing"];
  const up = ["up", "--detach", "--no-build", "--no-deps", "--wait", "otel-collector", "jaeger", "tracing"];
  const started = stack.compose(...files, ...up);
  await (answers ? expect(started).resolves.toBeDefined() : expect(started).rejects.toThrow(/unhealthy/));
  await stack.compose(...files, "down", "--timeout", "1");
});
