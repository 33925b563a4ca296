import { fileURLToPath } from "node:url";
import { openTestPlace, type TestPlace } from "@proofroom/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installMs, installPeers, peerTestMs, runPeer } from "../testing/peers.ts";
import { startWholeGateway, type WholeGateway } from "../testing/whole-gateway.ts";
import { allTools } from "../tools/all-tools.ts";
import { toolsetNames } from "../toolsets.ts";

const stdioMain = fileURLToPath(new URL("../testing/stdio-main.ts", import.meta.url));

let place: TestPlace;
let gateway: WholeGateway;

beforeAll(async () => {
  await installPeers();
  place = await openTestPlace();
  gateway = await startWholeGateway(place);
  place.closing(() => gateway.close());
}, installMs);

afterAll(() => place?.close());

type Era = "legacy" | "modern";

/** The Inspector's command line on a target: runs one method and answers the result that it prints. */
function inspecting(target: () => readonly string[], era: Era) {
  return async (method: string, ...args: string[]) => {
    const printed = ["--format", "json", "--quiet", "--connect-timeout", "60000"];
    const line = ["--cli", ...target(), "--protocol-era", era, ...printed, "--method", method, ...args];
    const { exitCode, stdout, stderr } = await runPeer("mcp-inspector", line, place.root);
    expect(exitCode, stderr).toBe(0);
    return JSON.parse(stdout).result;
  };
}

type Inspect = ReturnType<typeof inspecting>;

async function listsPortableTools(inspect: Inspect): Promise<void> {
  const { tools } = await inspect("tools/list", "--strict");
  expect(tools).toHaveLength(allTools(new Set(toolsetNames)).length);
}

/** Makes a run and has work done on it; answers the run's id. */
async function hasWorkDone(inspect: Inspect): Promise<string> {
  const call = (name: string, args: unknown) =>
    inspect("tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args));
  const { run_id } = (await call("create_run", { guideline: "# Retrying\n" })).structuredContent;
  const checked = await call("verify_citations", { run_id });
  expect(checked.structuredContent).toMatchObject({ run_id, status: "succeeded" });
  return run_id;
}

describe.each(["modern", "legacy"] as const)(
  "the Inspector over HTTP, %s",
  { timeout: peerTestMs },
  (era) => {
    const inspect = inspecting(() => [gateway.url, "--transport", "http"], era);

    it("lists the tools, and finds none of their schemas unportable", () => listsPortableTools(inspect));

    it("makes a run, has work done on it, and finds and reads what came of it", async () => {
      const uri = `run://${await hasWorkDone(inspect)}/article_guideline.md`;
      const { resources } = await inspect("resources/list");
      expect(resources).toContainEqual(expect.objectContaining({ uri }));
      const { contents } = await inspect("resources/read", "--uri", uri);
      expect(contents[0].text).toBe("# Retrying\n");
    });

    it("lists the prompts and gets one", async () => {
      const { prompts } = await inspect("prompts/list");
      expect(prompts).toHaveLength(3);
      const run_id = `run_${"0".repeat(26)}`;
      const { name } = prompts[0];
      const got = await inspect("prompts/get", "--prompt-name", name, "--prompt-args", `run_id=${run_id}`);
      expect(got.messages[0].content.text).toContain(run_id);
    });
  },
);

describe.each(["modern", "legacy"] as const)(
  "the Inspector over stdio, %s",
  { timeout: peerTestMs },
  (era) => {
    const gatewayLine = () => [process.execPath, stdioMain, place.root, place.redisUrl, "10000"];
    const inspect = inspecting(() => [...gatewayLine(), "--transport", "stdio"], era);

    it("lists the tools, and finds none of their schemas unportable", () => listsPortableTools(inspect));

    it("makes a run and has work done on it", async () => {
      await hasWorkDone(inspect);
    });
  },
);
