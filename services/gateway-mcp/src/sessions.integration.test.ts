import { fileURLToPath } from "node:url";
import {
  type AgentsOwn,
  connectLegacyHttp,
  connectLegacyStdio,
  connectModernHttp,
  connectTasks,
  followPrompts,
  openTestPlace,
  type Peer,
  type TestPlace,
} from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { HttpGateway } from "./http/gateway.ts";
import { unsupported } from "./testing/fake-handlers.ts";
import { startFakeWorkers } from "./testing/fake-workers.ts";
import { startTestGateway } from "./testing/start-test-gateway.ts";

let place: TestPlace;

beforeEach(async () => {
  place = await openTestPlace();
  const workers = startFakeWorkers(place);
  place.closing(() => workers.close());
});

afterEach(() => place.close());

async function replica(inlineMs: number): Promise<HttpGateway> {
  const gateway = await startTestGateway(place, { inlineMs });
  place.closing(() => gateway.close(100));
  return gateway;
}

/** From create_run to article.html; answers the article. */
async function wholeSession(peer: Peer, own: AgentsOwn = {}): Promise<string> {
  place.closing(() => peer.close());
  const made = await peer.call("create_run", {
    guideline: "# Retrying\n\n- [notes](notes.md)\n",
    source_files: [{ path: "notes.md", text: "Retries need a limit.\n" }],
  });
  const run_id = String(made.structuredContent?.["run_id"]);
  await followPrompts(peer, { run_id }, own);
  const page = await peer.read(`run://${run_id}/article.html`);
  const article = await peer.read(`run://${run_id}/article.md`);
  expect(page).toContain(article);
  return article;
}

const expected = "# Retrying\n\nSection one [S1].\n\nSection two [S1].\n\nRound 1.\n";

it("an agent that knows the prompts alone finishes an article over stdio, by job handles", async () => {
  const main = fileURLToPath(new URL("testing/stdio-main.ts", import.meta.url));
  const unparsable: Error[] = [];
  const peer = await connectLegacyStdio({
    command: process.execPath,
    args: [main, place.root, place.redisUrl, "0"],
    env: {},
    onUnparsable: (error) => unparsable.push(error),
  });
  expect(await wholeSession(peer)).toBe(expected);
  expect(unparsable).toEqual([]);
});

it("the same over HTTP with two replicas, one of which dies half-way", async () => {
  const replicas = [await replica(200), await replica(200)];
  let calls = 0;
  const balanced: typeof fetch = async (_input, init) => {
    calls += 1;
    if (calls === 20) await replicas.pop()?.close(0);
    return fetch(replicas[calls % replicas.length]?.url ?? "", init);
  };
  expect(await wholeSession(await connectLegacyHttp(replicas[0]?.url ?? "", balanced))).toBe(expected);
  expect(replicas).toHaveLength(1);
});

it("the same over HTTP with a client of 2026-07-28", async () => {
  expect(await wholeSession(await connectModernHttp((await replica(10_000)).url))).toBe(expected);
});

it("the same over HTTP with a client of 2026-07-28 that takes tasks", async () => {
  const peer = connectTasks((await replica(0)).url);
  expect(await wholeSession(peer)).toBe(expected);
  expect(peer.tasksTaken).toBeGreaterThan(10);
});

it("an agent puts a section and queries of its own, and publishes the draft that its user takes", async () => {
  const peer = await connectModernHttp((await replica(10_000)).url);
  const tools: string[] = [];
  const watched: Peer = {
    ...peer,
    async call(name, args) {
      const answer = await peer.call(name, args);
      tools.push(answer.isError === true ? `${name} failed` : name);
      return answer;
    },
  };
  const article = await wholeSession(watched, {
    sections: { two: `${unsupported}\n` },
    queries: [{ question: "Who said so?", reason: "It is open." }],
    takesDraft: true,
  });
  expect(article).toBe(`# Retrying\n\nSection one [S1].\n\n${unsupported}\n\nRound 3.\n`);
  expect(tools.filter((name) => name === "put_artifact")).toHaveLength(2);
  expect(tools).toContain("run_web_research");
  expect(tools.slice(-3)).toEqual([
    "export_publication_bundle failed",
    "export_publication_bundle",
    "get_run",
  ]);
});
