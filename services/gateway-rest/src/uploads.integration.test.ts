import { createFsStore } from "@proofroom/artifacts";
import { openTestPlace, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type LiveGateway, liveGateway } from "./testing/live-gateway.ts";
import { startWorkers } from "./testing/program.ts";

let place: TestPlace;
let gateway: LiveGateway;

beforeEach(async () => {
  place = await openTestPlace();
  gateway = await liveGateway({ store: createFsStore({ root: place.root }), redisUrl: place.redisUrl });
});

afterEach(async () => {
  await gateway.close();
  await place.close();
});

async function post(path: string, body: object | string): Promise<Record<string, unknown>> {
  const isFile = typeof body === "string";
  const answer = await fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: { "content-type": isFile ? "application/octet-stream" : "application/json" },
    body: isFile ? body : JSON.stringify(body),
  });
  expect(answer.status).toBeLessThan(300);
  return (await answer.json()) as Record<string, unknown>;
}

async function resultOf(runId: unknown, capability: string): Promise<unknown> {
  const { job_id } = await post(`/v1/runs/${runId}/capabilities/${capability}`, {});
  const answer = await fetch(`${gateway.url}/v1/jobs/${job_id}?wait=20`);
  return answer.json();
}

it("a folder that the guideline names is evidence, file by file, once its files are uploaded", async () => {
  const workers = startWorkers({ home: place.root, redisUrl: place.redisUrl });
  try {
    const guideline = "# Queues\n\n## Sources\n\n- [the manual](manual/)\n- [a note](notes/a.md)\n";
    const { run_id } = await post("/v1/runs", { guideline, start: false });
    const files = {
      "manual/install.md": "# Install\n\nThe broker listens on port 5672 from the first start on.\n",
      "manual/api/send.md": "# Send\n\nA message is kept until a consumer acknowledges it.\n",
      "notes/a.md": "# Note\n\nPrefetch limits how many messages one consumer holds.\n",
      "notes/unnamed.md": "# Unnamed\n\nThis is not a source.\n",
    };
    for (const [path, text] of Object.entries(files)) {
      await post(`/v1/runs/${run_id}/uploads?path=${encodeURIComponent(path)}`, text);
    }
    expect(await resultOf(run_id, "extract_guidelines_urls")).toMatchObject({ status: "succeeded" });
    const gathered = await resultOf(run_id, "process_local_files");
    expect(gathered).toMatchObject({ status: "succeeded", output: { status: "success", failed: 0 } });
    const { artifacts } = gathered as { artifacts: string[] };
    const copies = artifacts.filter((name) => name.startsWith(".nova/local_files_from_research/"));
    const texts = await Promise.all(
      copies.map(async (name) => (await fetch(`${gateway.url}/v1/runs/${run_id}/artifacts/${name}`)).text()),
    );
    const all = texts.join("\n");
    for (const said of ["port 5672", "acknowledges", "Prefetch"]) expect(all).toContain(said);
    expect(all).not.toContain("not a source");
  } finally {
    await workers.end("SIGTERM");
  }
});
