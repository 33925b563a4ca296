import { openLedger } from "@proofroom/runtime/records";
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

async function runIds(): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { key } of gateway.store.list("runs/")) ids.add(key.split("/")[1] ?? "");
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

  it("is refused with another body, and is one user's own", async () => {
    const headers = { "idempotency-key": "k" };
    const first = await post("/v1/runs", { guideline: "# A\n" }, headers);
    const other = await post("/v1/runs", { guideline: "# B\n" }, headers);
    expect(other.statusCode).toBe(409);
    expect(other.json().code).toBe("conflict");
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
    await gateway.store.create("runs/run_01J00000000000000000000000/.nova/run.json", "{");
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
    for await (const { key } of gateway.store.list("moving/")) expect(key).not.toContain(id);
    expect((await gateway.app.inject(`/v1/runs/${id}`)).statusCode).toBe(404);
    expect((await gateway.app.inject({ method: "DELETE", url: `/v1/runs/${id}` })).statusCode).toBe(404);
  });
});

describe("stopping and repeating", () => {
  it("cancels a run that moves, once", async () => {
    const id = (await post("/v1/runs", { guideline: "# x\n" })).json().run_id;
    expect((await post(`/v1/runs/${id}/cancel`)).json().status).toBe("cancelled");
    expect((await post(`/v1/runs/${id}/cancel`)).json().status).toBe("cancelled");
    expect(gateway.cancelled).toEqual([id]);
  });

  it("retries only steps that the run has", async () => {
    const id = await create();
    const unknown = await post(`/v1/runs/${id}/retry`, { from: "verify_citations" });
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json().remedy).toBeUndefined();
    expect((await post(`/v1/runs/${id}/retry`, {})).statusCode).toBe(400);
    const step = { stepId: "verify_citations", generation: 1 };
    const ledger = openLedger(gateway.store, id);
    const attempt = await ledger.begin(step);
    await ledger.fail(step, attempt, { code: "internal", message: "x" }, true);
    const retried = await post(`/v1/runs/${id}/retry`, { from: "verify_citations" });
    expect(retried.statusCode).toBe(202);
    expect(retried.json().steps[0]).toMatchObject({ step: "verify_citations", generation: 2 });
  });

  it.each(["run_x", "run_01J00000000000000000000000", "..", "%00", "run_01J0000000000000000000000%2F"])(
    "answers the same for a missing run and what is none: %s",
    async (id) => {
      const answer = await gateway.app.inject(`/v1/runs/${id}/events`);
      expect(answer.statusCode).toBe(404);
    },
  );
});
