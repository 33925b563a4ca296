import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runEventSchema } from "@proofroom/contracts";
import { openTestPlace, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Message, messages, watch } from "./testing/event-stream.ts";
import { listening, type Program, startGateway, startWorkers } from "./testing/program.ts";

const example = fileURLToPath(new URL("../../../examples/getting-started", import.meta.url));

let place: TestPlace;
const running: Program[] = [];

beforeEach(async () => {
  place = await openTestPlace();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((program) => program.end("SIGKILL")));
  await place.close();
});

function keep(program: Program): Program {
  running.push(program);
  return program;
}

async function post(url: string, type: string, body: Buffer | string): Promise<Response> {
  const answer = await fetch(url, { method: "POST", headers: { "content-type": type }, body });
  expect(answer.status).toBeLessThan(300);
  return answer;
}

/** Makes a run of the example and brings its sources; it is not started yet. */
async function bringExample(url: string): Promise<string> {
  const guideline = await readFile(join(example, "article_guideline.md"), "utf8");
  const created = await post(
    `${url}/v1/runs`,
    "application/json",
    JSON.stringify({ guideline, start: false }),
  );
  const { run_id } = (await created.json()) as { run_id: string };
  for (const entry of await readdir(example, { recursive: true, withFileTypes: true })) {
    const path = relative(example, join(entry.parentPath, entry.name));
    if (!entry.isFile() || path === "article_guideline.md") continue;
    const target = `${url}/v1/runs/${run_id}/uploads?path=${encodeURIComponent(path)}`;
    await post(target, "application/octet-stream", await readFile(join(example, path)));
  }
  return run_id;
}

const idsOf = (told: readonly Message[]) => told.flatMap(({ id }) => id ?? []);

it("a client of a real run has every event once and in order, though the replicas it watches at are killed", async () => {
  const programs = { home: place.root, redisUrl: place.redisUrl };
  keep(startWorkers(programs));
  const replicas = [1, 2, 3].map(() => keep(startGateway(programs)));
  const urls = await Promise.all(replicas.map(listening));
  const [first = "", , last = ""] = urls;
  const runId = await bringExample(first);

  const seen: Message[] = [];
  const watchAt = async (at: number, until: number) => {
    const answer = await watch(urls[at] ?? "", runId, idsOf(seen).at(-1));
    for await (const message of messages(answer)) {
      if (message.event !== undefined) seen.push(message);
      // What arrives between the signal and the end has arrived: it counts.
      if (seen.length === until) replicas[at]?.child.kill("SIGKILL");
    }
  };
  const killed = watchAt(0, 5);
  expect((await fetch(`${last}/v1/runs/${runId}/resume`, { method: "POST" })).status).toBe(202);
  await killed;
  await watchAt(1, seen.length + 10);
  await watchAt(2, Number.POSITIVE_INFINITY);
  expect(replicas.map(({ child }) => child.signalCode)).toEqual(["SIGKILL", "SIGKILL", null]);

  const whole: Message[] = [];
  for await (const message of messages(await watch(last, runId))) {
    if (message.event !== undefined) whole.push(message);
  }
  expect(idsOf(seen)).toEqual(idsOf(whole));
  expect(new Set(idsOf(seen)).size).toBe(seen.length);
  expect(seen.map(({ event }) => event)).not.toContain("gap");
  const events = seen.map(({ data }) => runEventSchema.parse(JSON.parse(data)));
  expect(events[0]).toMatchObject({ type: "run.started" });
  expect(events.at(-1)).toMatchObject({ type: "run.finished", status: "succeeded" });
  expect((await watch(last, runId, idsOf(seen).at(-1))).status).toBe(204);
  const page = await fetch(`${last}/v1/runs/${runId}/artifacts/article.html`);
  expect(page.headers.get("content-type")).toContain("text/html");
}, 60_000);
