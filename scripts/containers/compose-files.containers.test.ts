import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { checkout } from "./compose.ts";

const run = promisify(execFile);
const seaweedfs = ["-f", "docker-compose.yml", "-f", "infra/compose.seaweedfs.yml"];
const tracing = ["--profile", "tracing"];

/** What the files come to, as compose reads them without the settings of whoever runs the test. */
async function configOf(args: readonly string[]): Promise<{ services: Record<string, { image: string }> }> {
  const { PATH, HOME, DOCKER_CONFIG } = process.env;
  const options = { cwd: checkout, env: { PATH, HOME, DOCKER_CONFIG }, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await run("docker", ["compose", ...args, "config", "--format", "json"], options);
  return JSON.parse(stdout);
}

it.each([
  { files: "the stack", args: [], image: /^proofroom\/minio:/, traces: false },
  { files: "the stack with SeaweedFS", args: seaweedfs, image: /^proofroom\/seaweedfs:/, traces: false },
  { files: "the stack that is traced", args: tracing, image: /^proofroom\/minio:/, traces: true },
  {
    files: "the stack with SeaweedFS that is traced",
    args: [...seaweedfs, ...tracing],
    image: /^proofroom\/seaweedfs:/,
    traces: true,
  },
])("$files is what compose takes", async ({ args, image, traces }) => {
  const { services } = await configOf(args);
  expect(services["s3"]?.image).toMatch(image);
  expect(["otel-collector", "jaeger"].map((name) => name in services)).toEqual([traces, traces]);
});
