import { createHash } from "node:crypto";
import { openRunArtifacts } from "@proofroom/artifacts";
import { publicCapabilities } from "@proofroom/contracts";
import { openLedger } from "@proofroom/runtime/records";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import type { InjectOptions } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestGateway, testGateway } from "./testing/test-gateway.ts";

const missingRun = "run_01J00000000000000000000000";
const keys = ["ours", "ours too", "theirs"] as const;
type Key = (typeof keys)[number];

let folder: TempFolder;
let gateway: TestGateway;

beforeEach(async () => {
  folder = await makeTempFolder();
  gateway = await testGateway(folder.path, {
    auth: {
      host: "0.0.0.0",
      keys: keys.map((key) => ({
        tenant: key === "theirs" ? "theirs" : "ours",
        sha256: createHash("sha256").update(token(key)).digest("hex"),
      })),
    },
  });
});

afterEach(async () => {
  await gateway.app.close();
  await folder.close();
});

function token(key: Key): string {
  return key.replaceAll(" ", "-");
}

function ask(key: Key, { headers = {}, ...request }: InjectOptions) {
  return gateway.app.inject({ ...request, headers: { ...headers, authorization: `Bearer ${token(key)}` } });
}

async function create(key: Key, headers: Record<string, string> = {}): Promise<string> {
  const payload = { guideline: `# Of ${key}\n`, start: false };
  const answer = await ask(key, { method: "POST", url: "/v1/runs", payload, headers });
  expect(answer.statusCode).toBe(201);
  return answer.json().run_id;
}

async function runsOf(key: Key, query = ""): Promise<string[]> {
  const { runs } = (await ask(key, { url: `/v1/runs${query}` })).json();
  return runs.map(({ run_id }: { run_id: string }) => run_id);
}

/** A run of ours that has everything: uploads, artifacts, a job that waits, a step that failed. */
async function fullRun(): Promise<string> {
  const id = await create("ours");
  await openRunArtifacts(gateway.store, id).write("article.md", Buffer.from("# A\n"), { author: "person" });
  const upload = { "content-type": "application/octet-stream" };
  const url = `/v1/runs/${id}/uploads?path=notes.md`;
  expect((await ask("ours", { method: "POST", url, payload: "x", headers: upload })).statusCode).toBe(201);
  const call = { method: "POST", url: `/v1/runs/${id}/capabilities/verify_citations`, payload: {} } as const;
  expect((await ask("ours", call)).statusCode).toBe(202);
  const step = { stepId: "generate_article_outline", generation: 1 };
  const ledger = openLedger(gateway.store, id);
  await ledger.fail(step, await ledger.begin(step), { code: "internal", message: "no" }, { final: true });
  return id;
}

/** What to send to each address that names a run or a job; `tried` notes it by its method and path. */
function requestsFor(runId: string): (InjectOptions & { route: string })[] {
  const run = `/v1/runs/${runId}`;
  const text = { payload: "# B\n", headers: { "content-type": "text/markdown" } };
  const bytes = { payload: "x", headers: { "content-type": "application/octet-stream" } };
  const jobs = ["verify_citations-g1", "verify_citations-g2", "generate_article_outline-g1", "advance-g1"];
  const names = ["article.md", "article_guideline.md", ".nova/uploads/notes.md", ".nova/run.json", "nothing"];
  return [
    { route: "GET /v1/runs/{run_id}", url: run },
    { route: "DELETE /v1/runs/{run_id}", method: "DELETE", url: run },
    ...["resume", "cancel"].map((verb) => ({
      route: `POST /v1/runs/{run_id}/${verb}`,
      method: "POST" as const,
      url: `${run}/${verb}`,
    })),
    ...["generate_article_outline", "verify_citations", "draft_article_section"].flatMap((from) =>
      [true, false].map((force) => ({
        route: "POST /v1/runs/{run_id}/retry",
        method: "POST" as const,
        url: `${run}/retry`,
        payload: { from, force },
      })),
    ),
    ...[{}, { "last-event-id": "1-0" }].map((headers) => ({
      route: "GET /v1/runs/{run_id}/events",
      url: `${run}/events`,
      headers,
    })),
    { route: "GET /v1/runs/{run_id}/jobs", url: `${run}/jobs` },
    { route: "GET /v1/runs/{run_id}/artifacts", url: `${run}/artifacts` },
    ...names.flatMap((name) => [
      ...[{}, { range: "bytes=0-1" }, { range: "bytes=99-" }, { "if-none-match": "*" }].map((headers) => ({
        route: "GET /v1/runs/{run_id}/artifacts/{name}",
        url: `${run}/artifacts/${name}`,
        headers,
      })),
      {
        route: "HEAD /v1/runs/{run_id}/artifacts/{name}",
        method: "HEAD" as const,
        url: `${run}/artifacts/${name}`,
      },
      {
        route: "PUT /v1/runs/{run_id}/artifacts/{name}",
        method: "PUT" as const,
        url: `${run}/artifacts/${name}`,
        ...text,
      },
    ]),
    ...names.map((name) => ({
      route: "POST /v1/runs/{run_id}/links",
      method: "POST" as const,
      url: `${run}/links`,
      payload: { artifact: name },
    })),
    ...["notes.md", "other.md"].map((path) => ({
      route: "POST /v1/runs/{run_id}/uploads",
      method: "POST" as const,
      url: `${run}/uploads?path=${path}`,
      ...bytes,
    })),
    ...publicCapabilities().map(({ name }) => ({
      route: `POST /v1/runs/{run_id}/capabilities/${name}`,
      method: "POST" as const,
      url: `${run}/capabilities/${name}?force=true`,
      payload: {},
    })),
    {
      route: "POST /v1/jobs",
      method: "POST",
      url: "/v1/jobs",
      payload: { run_id: runId, capability: "verify_citations" },
    },
    ...jobs.flatMap((job) => [
      ...["", "?wait=1"].map((query) => ({
        route: "GET /v1/jobs/{job_id}",
        url: `/v1/jobs/${runId}-${job}${query}`,
      })),
      {
        route: "POST /v1/jobs/{job_id}/cancel",
        method: "POST" as const,
        url: `/v1/jobs/${runId}-${job}/cancel`,
      },
    ]),
  ];
}

/** Everything that a client can tell an answer by. */
async function answered(key: Key, { route: _route, ...request }: InjectOptions & { route: string }) {
  const { statusCode, headers, rawPayload } = await ask(key, request);
  const { date: _date, ...rest } = headers;
  return { statusCode, headers: rest, body: rawPayload.toString("latin1") };
}

async function everyKey(): Promise<string[]> {
  const found: string[] = [];
  for await (const { key, etag } of gateway.store.list("")) found.push(`${key} ${etag}`);
  return found;
}

describe("another tenant's run", () => {
  it("is answered to the byte as one that there is not, by every route, and stays as it was", async () => {
    const id = await fullRun();
    const before = await everyKey();
    const submitted = gateway.submitted.length;
    const missing = requestsFor(missingRun);
    for (const [at, request] of requestsFor(id).entries()) {
      const other = missing[at];
      if (other === undefined) throw new Error("there are as many requests for the one as for the other");
      const told = await answered("theirs", request);
      expect(told, request.route).toEqual(await answered("theirs", other));
      expect([400, 404], request.route).toContain(told.statusCode);
      expect(told.body).not.toContain(id);
    }
    expect(await everyKey()).toEqual(before);
    expect(gateway.submitted).toHaveLength(submitted);
    expect(gateway.cancelled).toEqual([]);
    // Its own tenant sees all of it, with whichever key.
    expect((await ask("ours too", { url: `/v1/runs/${id}/artifacts/article.md` })).body).toBe("# A\n");
  });

  it("is tried by every route that names a run or a job", async () => {
    const { paths } = (await gateway.app.inject("/openapi.json")).json();
    const described = Object.entries<Record<string, object>>(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        route: `${method.toUpperCase()} ${path}`,
        names: JSON.stringify(operation),
      })),
    );
    const naming = described.filter(
      ({ route, names }) =>
        /\{(?:run|job)_id\}/.test(route) || /"required":\[[^\]]*"run_id"/.test(requestPart(names)),
    );
    const tried = new Set(requestsFor(missingRun).map(({ route }) => route));
    expect(naming.map(({ route }) => route).toSorted()).toEqual([...tried].toSorted());
  });
});

/** The part of an operation that tells what is sent. */
function requestPart(operation: string): string {
  return JSON.stringify(JSON.parse(operation).requestBody ?? {});
}

describe("a tenant", () => {
  it("lists its own runs, page by page, and no others", async () => {
    const ours = [await create("ours"), await create("ours too")];
    const theirs = await create("theirs");
    expect((await runsOf("ours")).toSorted()).toEqual(ours.toSorted());
    expect((await runsOf("ours too")).toSorted()).toEqual(ours.toSorted());
    expect(await runsOf("theirs")).toEqual([theirs]);
    const { next_cursor } = (await ask("ours", { url: "/v1/runs?limit=1" })).json();
    // A cursor is a place in time, not a key to what lies there.
    const seen = await runsOf("theirs", `?cursor=${next_cursor}`);
    expect(seen.filter((id) => id !== theirs)).toEqual([]);
    expect((await ask("theirs", { url: "/v1/runs?limit=1" })).json().next_cursor).toBeNull();
  });

  it("has Idempotency-Keys that are each caller's own", async () => {
    const headers = { "idempotency-key": "same" };
    const ids = [await create("ours", headers), await create("theirs", headers)];
    expect(new Set(ids).size).toBe(2);
    expect(await create("ours", headers)).toBe(ids[0]);
    // The body names its key: another request, and no conflict with the first caller's.
    expect(ids).not.toContain(await create("ours too", headers));
  });

  it("removes its run and leaves nothing that lists it", async () => {
    const id = await fullRun();
    expect((await ask("ours too", { method: "DELETE", url: `/v1/runs/${id}` })).statusCode).toBe(204);
    expect((await everyKey()).filter((key) => key.includes(id))).toEqual([]);
    expect(await runsOf("ours")).toEqual([]);
  });
});
