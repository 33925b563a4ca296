import { createHash } from "node:crypto";
import { Agent } from "node:http";
import { createFsStore, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { runOptionsSchema } from "@proofroom/contracts";
import { createRun, openLedger } from "@proofroom/runtime/records";
import { makeTempFolder, openTestPlace, type TestPlace } from "@proofroom/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiDocument, type Conformance, conformanceTo } from "./testing/fuzz/conformance.ts";
import { type Generated, type Place, requestsOf } from "./testing/fuzz/requests.ts";
import type { Known } from "./testing/fuzz/schema-arbitrary.ts";
import { send } from "./testing/fuzz/send.ts";
import { type LiveGateway, liveGateway } from "./testing/live-gateway.ts";
import { testGateway } from "./testing/test-gateway.ts";

const key = "fuzz";
const authorization = { authorization: `Bearer ${key}` };
/** So many requests of one operation are under way at once, and as often. */
const atOnce = 8;
const roundsEach = 15;
const faultsShown = 5;
/** The capabilities share all but their inputs. */
const roundsForCapabilities = 3;

let place: TestPlace;
let store: ObjectStore;
let gateway: LiveGateway;
let conformance: Conformance;
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
const answered = new Map<string, number[]>();

beforeAll(async () => {
  place = await openTestPlace();
  store = createFsStore({ root: place.root });
  const sha256 = createHash("sha256").update(key).digest("hex");
  gateway = await liveGateway({ store, redisUrl: place.redisUrl }, () => ({
    auth: { keys: [{ tenant: "default", sha256 }], host: "127.0.0.1" },
  }));
  conformance = conformanceTo(await documentOf());
});

afterAll(async () => {
  agent.destroy();
  await gateway.close();
  await place.close();
});

/** The document does not depend on what the gateway works with. */
async function documentOf(): Promise<ApiDocument> {
  const place = await makeTempFolder();
  const { app } = await testGateway(place.path);
  const document = (await app.inject("/openapi.json")).json();
  await app.close();
  await place.close();
  return document;
}

/** A run in which there is something of everything: an article, an upload, a step that failed, a job that waits. */
async function fullRun(): Promise<string> {
  const runId = await createRun(store, {
    title: "Fuzz",
    plan: "write",
    options: runOptionsSchema.parse({}),
    guideline: "# Fuzz\n",
    author: "person",
  });
  const author = "person";
  await openRunArtifacts(store, runId).write("article.md", Buffer.from("# Article\n"), { author });
  await store.create(`runs/${runId}/.nova/uploads/notes.md`, "notes");
  const ledger = openLedger(store, runId);
  const failed = { stepId: "generate_article_outline", generation: 1 };
  await ledger.fail(failed, await ledger.begin(failed), { code: "internal", message: "no" }, { final: true });
  await ledger.requestGeneration("verify_citations", 1, "call", { input: {} });
  return runId;
}

function knownOf(runId: string): Known {
  const missing = "run_01J00000000000000000000000";
  const names = ["article.md", "article_guideline.md", ".nova/uploads/notes.md", ".nova/sections/a.md"];
  const jobs = ["verify_citations-g1", "generate_article_outline-g1", "verify_citations-g9", "advance-g1"];
  return {
    run_id: fc.oneof(
      { weight: 9, arbitrary: fc.constant(runId) },
      { weight: 1, arbitrary: fc.constant(missing) },
    ),
    job_id: fc.constantFrom(...jobs).map((job) => `${runId}-${job}`),
    name: fc.constantFrom(...names, "nothing.md", ".nova/run.json"),
    artifact: fc.constantFrom(...names, "nothing.md"),
    path: fc.uuid().map((name) => `docs/${name}.md`),
    from: fc.constantFrom("generate_article_outline", "verify_citations", "create_research_file"),
    cursor: fc.constant(Buffer.from(`1 ${runId}`).toString("base64url")),
    // A job that nobody works at is waited for as long as that.
    wait: fc.constant("0"),
    "Last-Event-ID": fc.constantFrom("0-1", "1-0"),
    "If-Match": fc.constantFrom('"x"', "*"),
    "If-None-Match": fc.constantFrom('"x"', "*", 'W/"x"'),
    "If-Range": fc.constantFrom('"x"', "*"),
    Range: fc.constantFrom("bytes=0-3", "bytes=2-", "bytes=-1", "bytes=90-"),
  };
}

/** Sends requests of an operation, several at a time; answers what was wrong with the answers. */
async function hold(place: Place, rounds: number): Promise<string[]> {
  const { operation, method } = place;
  const faults: string[] = [];
  const seen: number[] = [];
  answered.set(operation.operationId, seen);
  const { seed = 0 } = fc.readConfigureGlobal() ?? {};

  async function one({ sent, valid, json }: Generated): Promise<void> {
    const answer = await send(gateway.url, agent, sent);
    seen.push(answer.status);
    const told = `${answer.status} ${answer.body.slice(0, 300)} to ${JSON.stringify(sent).slice(0, 600)}`;
    const fault = conformance.faultOf(operation, method, answer);
    if (fault !== null) faults.push(`${fault}: ${told}`);
    else if (valid && [400, 413, 415].includes(answer.status)) faults.push(`it was as declared: ${told}`);
    else if (json !== undefined && answer.status < 400 && !conformance.takes(operation, json.value))
      faults.push(`it was not as declared: ${told}`);
  }

  for (let round = 0; round < rounds; round += 1) {
    const requests = requestsOf(place, knownOf(await fullRun()), authorization);
    await Promise.all(fc.sample(requests, { numRuns: atOnce, seed: seed + round }).map(one));
  }
  return faults.slice(0, faultsShown);
}

const document = await documentOf();
const places: Place[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
  })),
);

describe("every route answers as the document says, whatever it is sent:", () => {
  it.each(places)("$method $path", async (place) => {
    const isCapability = place.path.includes("/capabilities/");
    expect(await hold(place, isCapability ? roundsForCapabilities : roundsEach)).toEqual([]);
    expect(answered.get(place.operation.operationId)?.some((status) => status < 400)).toBe(true);
  });

  it("and that were thousands of requests", () => {
    expect([...answered.values()].flat().length).toBeGreaterThan(2_000);
  });
});
