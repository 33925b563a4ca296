import { writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { createFsStore } from "@proofroom/artifacts";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandContext } from "../testing/command-context.ts";
import { type FakeGateway, startFakeGateway } from "../testing/fake-gateway.ts";
import { remoteRun } from "../testing/remote-run.ts";
import { removeRemoteCommand, writeRemoteCommand } from "./remote-commands.ts";
import { listRemoteCommand, statusRemoteCommand } from "./remote-inspect.ts";

const runId = "run_01J8ZZZZZZZZZZZZZZZZZZZZZZ";
let folder: TempFolder;
let gateway: FakeGateway | undefined;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  await folder.close();
});

async function at(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  gateway = await startFakeGateway(answer);
  const made = commandContext({ folder: folder.path, store: createFsStore({ root: folder.path }) });
  return { ...made, address: gateway.address, url: gateway.address.origin, asked: gateway.asked };
}

const json = (response: ServerResponse, value: unknown) => void response.end(JSON.stringify(value));

/** To write of a guideline without local sources. */
async function request() {
  const guideline = join(folder.path, "guideline.md");
  await writeFile(guideline, "# T\n\nhttps://example.org/a\n");
  return { guideline, topic: undefined, sources: [], options: {}, out: undefined, example: false };
}

describe("a run at a gateway that cannot begin", () => {
  /** Takes the run, and fails to start it. */
  async function write(status: string) {
    const { context, stderr, address, asked, url } = await at((request, response) => {
      if (request.url?.endsWith("/resume") === true)
        return void response.writeHead(500).end('{"code":"internal","detail":"No."}');
      if (request.method === "DELETE") return void response.writeHead(204).end();
      json(response, remoteRun(runId, status));
    });
    await expect(writeRemoteCommand(context, await request(), address)).rejects.toMatchObject({
      message: "No.",
    });
    return { stderr: stderr(), asked, url };
  }

  it("is removed there, and nobody is told its id", async () => {
    const { stderr, asked } = await write("queued");
    expect(asked.at(-1)).toBe(`DELETE /v1/runs/${runId}`);
    expect(stderr).toBe("");
  });

  it("stays where it moves all the same, and the command that goes on with it is told", async () => {
    const { stderr, asked, url } = await write("running");
    expect(asked.filter((one) => one.startsWith("DELETE"))).toEqual([]);
    expect(stderr).toContain(`proofroom resume ${runId} --remote ${url}`);
  });
});

it("what a run at a gateway cost is told at its end, as of one here", async () => {
  const cost = {
    calls: 2,
    input_tokens: 30,
    output_tokens: 4,
    usd: 0.0123,
    models: { flash: 2 },
    unpriced_calls: 0,
  };
  const { context, stdout, address } = await at((request, response) => {
    if (request.url?.endsWith("/events") === true) return void response.writeHead(204).end();
    if (request.url?.includes("/artifacts/") === true)
      return void response.writeHead(404).end('{"code":"not_found","detail":"No."}');
    const isStarting = request.method === "POST";
    json(response, {
      ...remoteRun(runId, isStarting ? "queued" : "succeeded"),
      cost: { ...cost, searches: {}, unpriced_searches: 0, pages: 0 },
    });
  });
  await writeRemoteCommand(context, await request(), address);
  expect(stdout()).toContain(
    "Asked: 2 calls of models (flash 2), 30 tokens in and 4 out; $0.0123 at list prices.",
  );
});

describe("runs at a gateway", () => {
  it("are listed over all pages, oldest first", async () => {
    const older = "run_01J8YYYYYYYYYYYYYYYYYYYYYY";
    const { context, stdout, address, asked } = await at(({ url }, response) => {
      const isFirst = url?.includes("cursor") !== true;
      const { steps: _steps, cost: _cost, ...summary } = remoteRun(isFirst ? runId : older, "succeeded");
      json(response, { runs: [summary], next_cursor: isFirst ? "a/b" : null });
    });
    await listRemoteCommand(context, address);
    expect(stdout().match(/run_\w+/g)).toEqual([older, runId]);
    expect(asked).toEqual(["GET /v1/runs?limit=100", "GET /v1/runs?limit=100&cursor=a%2Fb"]);
  });

  it("are shown with their steps, what they cost, and the command that goes on with them there", async () => {
    const step = { step: "map_site", capability: "map_site", generation: 1, state: "stale", attempts: 1 };
    const cost = { calls: 0, input_tokens: 0, output_tokens: 0, usd: 0, models: {}, unpriced_calls: 0 };
    const { context, stdout, address, url } = await at((_request, response) =>
      json(response, {
        ...remoteRun(runId, "running"),
        steps: [step],
        cost: { ...cost, searches: {}, unpriced_searches: 0, pages: 3 },
      }),
    );
    await statusRemoteCommand(context, runId, address);
    expect(stdout()).toContain("map_site");
    expect(stdout()).toContain("Asked: 3 pages fetched.");
    expect(stdout()).toContain(`Stale steps run again with: proofroom resume ${runId} --remote ${url}`);
  });

  it("that are at work are removed only with --force", async () => {
    const { context, stdout, address, asked, url } = await at((request, response) => {
      if (request.method === "DELETE") return void response.writeHead(204).end();
      json(response, remoteRun(runId, "running"));
    });
    const remove = (force: boolean) => removeRemoteCommand(context, { ids: [runId], force }, address);
    await expect(remove(false)).rejects.toMatchObject({
      code: "conflict",
      remedy: expect.stringContaining(`proofroom remove --force ${runId} --remote ${url}`),
    });
    expect(asked.filter((one) => one.startsWith("DELETE"))).toEqual([]);
    await remove(true);
    expect(asked.at(-1)).toBe(`DELETE /v1/runs/${runId}`);
    expect(stdout()).toContain(`Run ${runId} removed.`);
  });
});
