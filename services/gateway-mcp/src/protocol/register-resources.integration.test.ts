import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { askModern, connectModernHttp, openTestPlace, type Peer, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HttpGateway } from "../http/gateway.ts";
import { startFakeWorkers } from "../testing/fake-workers.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

let place: TestPlace;
let gateway: HttpGateway;
let peer: Peer;

beforeEach(async () => {
  place = await openTestPlace();
  gateway = await startTestGateway(place, { inlineMs: 0 });
  place.closing(() => gateway.close(100));
  peer = await connectModernHttp(gateway.url);
  place.closing(() => peer.close());
});

afterEach(() => place.close());

async function newRun(guideline = "# t\n"): Promise<string> {
  return String((await peer.call("create_run", { guideline })).structuredContent?.["run_id"]);
}

async function complete(argument: { name: string; value: string }, runId?: string) {
  const ref = { type: "ref/resource", uri: "run://{run_id}/{+artifact}" };
  const context = runId === undefined ? {} : { context: { arguments: { run_id: runId } } };
  const { result } = await askModern(gateway.url, "completion/complete", { ref, argument, ...context }, {});
  return (result?.["completion"] as { values: string[] } | undefined)?.values;
}

describe("artifacts as resources", () => {
  it("are listed for the newest runs, and runs and names can be completed", async () => {
    const [first, second] = [await newRun(), await newRun()];
    const { result } = await askModern(gateway.url, "resources/list", {}, {});
    const uris = ((result?.["resources"] ?? []) as { uri: string }[]).map(({ uri }) => uri);
    expect(uris).toEqual([second, first].map((id) => `run://${id}/article_guideline.md`));
    expect(await complete({ name: "run_id", value: "run_" })).toEqual([second, first]);
    expect(await complete({ name: "artifact", value: "art" }, first)).toEqual(["article_guideline.md"]);
    expect(await complete({ name: "artifact", value: "x" }, first)).toEqual([]);
  });

  it("are read in pages that together are the whole", async () => {
    const guideline = `# t\n\n${"Größe 🙂 ".repeat(20_000)}\n`;
    const run_id = await newRun(guideline);
    let read = "";
    let next: string | undefined = `run://${run_id}/article_guideline.md`;
    while (next !== undefined) {
      const { result } = await askModern(gateway.url, "resources/read", { uri: next }, {});
      const [page, more] = (result?.["contents"] ?? []) as { uri: string; text: string }[];
      expect(Buffer.byteLength(page?.text ?? "")).toBeLessThanOrEqual(65_536);
      read += page?.text ?? "";
      next = more?.uri;
    }
    expect(read).toBe(guideline);
  });

  it("keep what a person puts as versions, and refuse a put that does not know the newest", async () => {
    const run_id = await newRun();
    const put = { run_id, kind: "article", text: "# One\n", expected_version: 0 };
    expect((await peer.call("put_artifact", put)).structuredContent).toMatchObject({ version: 1 });
    expect((await peer.call("put_artifact", put)).isError).toBe(true);
    const next = { ...put, text: "# Two\n", expected_version: 1 };
    expect((await peer.call("put_artifact", next)).structuredContent).toMatchObject({ version: 2 });
    const earlier = await peer.call("read_artifact", { run_id, artifact: "article.md", version: 1 });
    expect(earlier.structuredContent).toMatchObject({ text: "# One\n", version: 1 });
  });
});

it("a job whose worker is killed is done by another, and never stays at work for ever", async () => {
  const lockMs = 1_000;
  const main = fileURLToPath(new URL("../testing/worker-main.ts", import.meta.url));
  const args = [main, place.root, place.redisUrl, String(lockMs)];
  const doomed = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  place.closing(async () => doomed.kill("SIGKILL"));
  const run_id = await newRun();
  const { job_id } = (await peer.call("verify_citations", { run_id })).structuredContent ?? {};
  await once(doomed.stdout, "data");
  expect((await peer.call("job_get", { job_id })).structuredContent).toMatchObject({ status: "running" });
  doomed.kill("SIGKILL");
  await once(doomed, "exit");
  const workers = startFakeWorkers({ ...place, lockMs });
  place.closing(() => workers.close());
  const done = await peer.call("job_wait", { job_id });
  expect(done.structuredContent).toMatchObject({ job_id, status: "succeeded", output: { cited: 1 } });
});
