import { openRunArtifacts } from "@proofroom/artifacts";
import { openLedger, openModelFacts, ownedKey } from "@proofroom/runtime/records";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestGateway, testGateway } from "../testing/test-gateway.ts";

let folder: TempFolder;
let gateway: TestGateway;

beforeEach(async () => {
  folder = await makeTempFolder();
  gateway = await testGateway(folder.path);
});

afterEach(async () => {
  await gateway.app.close();
  await folder.close();
});

function post(url: string, payload: object = {}, headers: Record<string, string> = {}) {
  return gateway.app.inject({ method: "POST", url, payload, headers });
}

async function create(body: object = {}): Promise<string> {
  const answer = await post("/v1/runs", { guideline: "# Queues\n", start: false, ...body });
  expect(answer.statusCode).toBe(201);
  return answer.json().run_id;
}

/** Of every run that anything in the store belongs to. */
async function runIds(): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { key } of gateway.store.list("")) {
    const id = /run_[^/]+/.exec(key)?.[0];
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

describe("creating runs", () => {
  it("stores the guideline, names the run by its heading and starts it", async () => {
    const answer = await post("/v1/runs", { guideline: "intro\n\n## On queues ##\n" });
    expect(answer.statusCode).toBe(201);
    const run = answer.json();
    expect(run).toMatchObject({ title: "On queues", status: "running", steps: [] });
    expect(answer.headers.location).toBe(`/v1/runs/${run.run_id}`);
    expect(gateway.submitted.map(({ capability }) => capability)).toEqual(["advance"]);
    expect((await openLedger(gateway.store, run.run_id).manifest()).options).toEqual({
      max_rounds: 3,
      search_rounds: 0,
      approve_at: 80,
      allow_draft: true,
      require_code_run: false,
    });
  });

  it("leaves a run that is not to be started alone until it is resumed", async () => {
    const id = await create();
    expect(gateway.submitted).toEqual([]);
    const resumed = await post(`/v1/runs/${id}/resume`);
    expect(resumed.statusCode).toBe(202);
    expect(resumed.json()).toMatchObject({ status: "running", edited: [] });
    expect(await openModelFacts(gateway.store).budgetOf(id)).toMatchObject({ usd: undefined });
  });

  it("takes a budget with the resumption, for a run that waits for one", async () => {
    const id = await create();
    expect((await post(`/v1/runs/${id}/resume`, { budget_usd: 0.5, budget_pages: 9 })).statusCode).toBe(202);
    expect(await openModelFacts(gateway.store).budgetOf(id)).toMatchObject({ usd: 0.5, pages: 9 });
    expect((await post(`/v1/runs/${id}/resume`, { budget_usd: -1 })).statusCode).toBe(400);
    expect(gateway.submitted).toHaveLength(1);
  });

  it.each([
    [{}, "guideline"],
    [{ guideline: "  \n" }, "guideline"],
    [{ guideline: "x\ud800" }, "guideline"],
    [{ guideline: "# x", title: 7 }, "title"],
    [{ guideline: "# x", options: { max_rounds: 9 } }, "options.max_rounds"],
    [{ guideline: "# x", options: { rounds: 1 } }, "options"],
  ])("refuses %j naming the part that is wrong", async (body, path) => {
    const answer = await post("/v1/runs", body);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
    expect(answer.json()).toMatchObject({ code: "invalid_input", status: 400 });
    expect(answer.json().errors[0].path).toBe(path);
    expect(await runIds()).toEqual(new Set());
  });
});

describe("an Idempotency-Key", () => {
  it("makes one run of 20 requests at once, over two replicas, and leaves nothing of the others", async () => {
    const other = await testGateway(folder.path);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? gateway : other).app.inject({
          method: "POST",
          url: "/v1/runs",
          payload: { guideline: "# Once\n" },
          headers: { "idempotency-key": "k-1" },
        }),
      ),
    );
    await other.app.close();
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    const ids = new Set(answers.map((answer) => answer.json().run_id));
    expect(ids.size).toBe(1);
    expect(await runIds()).toEqual(ids);
    expect([...gateway.submitted, ...other.submitted]).toHaveLength(1);
    expect(answers.filter(({ headers }) => headers["idempotency-replayed"] === undefined)).toHaveLength(1);
  });

  it("starts the run of a request that died before it did, and a second time none", async () => {
    let died = false;
    const { store } = gateway;
    const dying = await testGateway(folder.path, {
      store: {
        ...store,
        async create(key, body, options) {
          if (!died && key.includes("/run/epochs/")) {
            died = true;
            throw new Error("killed");
          }
          return store.create(key, body, options);
        },
      },
    });
    const payload = { guideline: "# Left\n" };
    const headers = { "idempotency-key": "k" };
    const first = await dying.app.inject({ method: "POST", url: "/v1/runs", payload, headers });
    await dying.app.close();
    expect([died, first.statusCode]).toEqual([true, 500]);
    const again = await post("/v1/runs", payload, headers);
    expect([again.statusCode, again.json().status]).toEqual([201, "running"]);
    expect(await runIds()).toEqual(new Set([again.json().run_id]));
    await post("/v1/runs", payload, headers);
    expect(gateway.submitted).toHaveLength(1);
  });

  it("is refused with another body, and is one user's own", async () => {
    const headers = { "idempotency-key": "k" };
    const first = await post("/v1/runs", { guideline: "# A\n" }, headers);
    const other = await post("/v1/runs", { guideline: "# B\n" }, headers);
    expect([other.statusCode, other.json().code]).toEqual([422, "idempotency_key_reused"]);
    const again = await post("/v1/runs", { start: true, guideline: "# A\n" }, headers);
    expect(again.json().run_id).toBe(first.json().run_id);
  });

  it.each(["", "a b", "ü", "x".repeat(256)])("must be printable: %j", async (key) => {
    expect((await post("/v1/runs", { guideline: "# A" }, { "idempotency-key": key })).statusCode).toBe(400);
  });
});

describe("the list of runs", () => {
  it("is newest first and goes on where the page before ended, whatever comes meanwhile", async () => {
    const ids: string[] = [];
    for (const title of ["a", "b", "c"]) ids.push(await create({ title }));
    const first = (await gateway.app.inject("/v1/runs?limit=2")).json();
    await create({ title: "d" });
    const second = (await gateway.app.inject(`/v1/runs?limit=2&cursor=${first.next_cursor}`)).json();
    const titles = [...first.runs, ...second.runs].map(({ title }: { title: string }) => title);
    // Ids of one millisecond have no order among themselves.
    expect(titles.toSorted()).toEqual(["a", "b", "c"]);
    expect(first.runs).toHaveLength(2);
    expect(second.next_cursor).toBeNull();
    expect(first.runs.map(({ run_id }: { run_id: string }) => run_id)).toEqual(
      ids.toSorted().reverse().slice(0, 2),
    );
  });

  it("leaves out a run whose records are damaged", async () => {
    const kept = await create();
    const damaged = "run_01J00000000000000000000000";
    await gateway.store.create(`runs/${damaged}/.nova/run.json`, "{");
    await gateway.store.create(ownedKey("default", damaged), "");
    const { runs } = (await gateway.app.inject("/v1/runs")).json();
    expect(runs.map(({ run_id }: { run_id: string }) => run_id)).toEqual([kept]);
  });

  it.each(["limit=0", "limit=101", "limit=x", "limit=1&limit=2", "cursor=abc", "page=2", "cursor=MSBydW4"])(
    "refuses %s",
    async (query) => {
      const answer = await gateway.app.inject(`/v1/runs?${query}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().code).toBe("invalid_input");
    },
  );
});

describe("removing a run", () => {
  it("cancels it first and leaves nothing of it", async () => {
    const kept = await create();
    const id = (await post("/v1/runs", { guideline: "# x\n" })).json().run_id;
    expect((await gateway.app.inject({ method: "DELETE", url: `/v1/runs/${id}` })).statusCode).toBe(204);
    expect(gateway.cancelled).toEqual([id]);
    expect(await runIds()).toEqual(new Set([kept]));
    expect((await gateway.app.inject(`/v1/runs/${id}`)).statusCode).toBe(404);
    expect((await gateway.app.inject({ method: "DELETE", url: `/v1/runs/${id}` })).statusCode).toBe(404);
  });

  it("tells the workers though it has ended: a job that was called alone may be at work", async () => {
    const id = await create();
    const ledger = openLedger(gateway.store, id);
    await ledger.open("start");
    await ledger.close({ n: 1, status: "succeeded", at: new Date().toISOString(), reasons: [] });
    await ledger.begin({ stepId: "verify_citations", generation: 1 });
    expect((await gateway.app.inject({ method: "DELETE", url: `/v1/runs/${id}` })).statusCode).toBe(204);
    expect(gateway.cancelled).toEqual([id]);
    expect(await runIds()).toEqual(new Set());
  });
});

describe("stopping and repeating", () => {
  it("cancels a run that moves, and tells the workers again when it is asked again", async () => {
    const id = (await post("/v1/runs", { guideline: "# x\n" })).json().run_id;
    expect((await post(`/v1/runs/${id}/cancel`)).json().status).toBe("cancelled");
    expect((await post(`/v1/runs/${id}/cancel`)).json().status).toBe("cancelled");
    // Word of the first may have been lost.
    expect(gateway.cancelled).toEqual([id, id]);
  });

  it("retries only steps that the run has", async () => {
    const id = await create();
    const unknown = await post(`/v1/runs/${id}/retry`, { from: "verify_citations" });
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json().remedy).toBe("The status of the run lists its steps.");
    expect((await post(`/v1/runs/${id}/retry`, {})).statusCode).toBe(400);
    const step = { stepId: "verify_citations", generation: 1 };
    const ledger = openLedger(gateway.store, id);
    const attempt = await ledger.begin(step);
    await ledger.fail(step, attempt, { code: "internal", message: "x" }, { final: true });
    const retried = await post(`/v1/runs/${id}/retry`, { from: "verify_citations" });
    expect(retried.statusCode).toBe(202);
    expect(retried.json().steps[0]).toMatchObject({ step: "verify_citations", generation: 2 });
  });

  it("executes a step that is done again only by force, and a stale one without", async () => {
    const id = await create();
    const article = openRunArtifacts(gateway.store, id);
    const write = (text: string) => article.write("article.md", Buffer.from(text), { author: "person" });
    const { version, sha256 } = await write("one");
    const ledger = openLedger(gateway.store, id);
    const hash = "0".repeat(64);
    const finish = (generation: number) => {
      const step = { stepId: "verify_citations", generation };
      return ledger.commit(step, {
        v: 1,
        step_id: step.stepId,
        generation,
        capability: "verify_citations",
        step_key: hash,
        input_sha256: hash,
        reads: [{ name: "article.md", version, sha256 }],
        writes: [],
        output: {},
        started_at: new Date(0).toISOString(),
        finished_at: new Date(0).toISOString(),
      });
    };
    await finish(1);
    const retry = (force?: boolean) =>
      post(`/v1/runs/${id}/retry`, { from: "verify_citations", ...(force === undefined ? {} : { force }) });
    for (const force of [undefined, false]) {
      const refused = await retry(force);
      expect([refused.statusCode, refused.json().code]).toEqual([409, "conflict"]);
      expect(refused.json().remedy).toContain('"force": true');
    }
    expect(gateway.submitted).toEqual([]);
    expect((await retry(true)).statusCode).toBe(202);
    await finish(2);
    await write("two");
    const stale = await retry();
    expect([stale.statusCode, stale.json().steps[0].generation]).toEqual([202, 3]);
  });

  it.each(["run_x", "run_01J00000000000000000000000", "..", "%00", "run_01J0000000000000000000000%2F"])(
    "answers the same for a missing run and what is none: %s",
    async (id) => {
      const answer = await gateway.app.inject(`/v1/runs/${id}/events`);
      expect(answer.statusCode).toBe(404);
    },
  );
});
