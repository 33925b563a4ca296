import { createFsStore, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { artifact, ProofroomError, verifyCitations } from "@proofroom/contracts";
import type { Delivery, EventLog } from "@proofroom/queue";
import { silentLogger } from "@proofroom/telemetry";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCancellations, type Execution } from "./cancellations.ts";
import { cancellationOf, jobCancelled } from "./cancelled.ts";
import { removeRun } from "./control/remove-run.ts";
import { type AnyHandler, executeStep } from "./execute-step.ts";
import type { StepContext } from "./handler.ts";
import { type Ledger, openLedger } from "./ledger.ts";

const verified = {
  sentences: 1,
  cited: 1,
  supported: 1,
  uncertain: 0,
  unsupported: 0,
  unresolved: 0,
  uncited: 0,
  article_sha256: "a".repeat(64),
  artifact: artifact.citations,
};
const events: EventLog = {
  publish: () => undefined,
  position: async () => "0",
  flush: async () => undefined,
  async *follow() {},
};
const removed = { code: "cancelled", disposition: { kind: "fail" } };
const ref = { stepId: "verify_citations", generation: 1 };

let folder: TempFolder;
let store: ObjectStore;
let runId: string;
let ledger: Ledger;
let cancel: (runId: string) => void;
let gap: () => void;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  runId = await createTestRun(store);
  ledger = openLedger(store, runId);
  await ledger.open("start");
});

afterEach(() => folder.close());

/** Executes one delivery of the step with the handler given. */
function execute(
  handler: (context: StepContext) => Promise<unknown>,
  options: {
    timeoutMs?: number;
    lastAttempt?: boolean;
    parent?: string;
    over?: ObjectStore;
    signal?: AbortSignal;
  } = {},
): Promise<Record<string, string>> {
  const bus = {
    onCancel: (listener: (runId: string) => void) => {
      cancel = listener;
    },
    onGap: (listener: () => void) => {
      gap = listener;
    },
  };
  const isCancelled = async ({ step }: Execution) => (await cancellationOf(ledger, step)) !== null;
  const delivery: Delivery = {
    job: {
      v: 1,
      run_id: runId,
      capability: verifyCitations.name,
      step_id: ref.stepId,
      generation: 1,
      input: {},
      ...(options.parent === undefined ? {} : { parent: options.parent }),
    },
    lastAttempt: options.lastAttempt ?? false,
    failedChildren: async () => new Set(),
    signal: options.signal ?? new AbortController().signal,
  };
  const policy = { ...verifyCitations.policy, timeoutMs: options.timeoutMs ?? 10_000 };
  return executeStep(
    {
      store: options.over ?? store,
      events,
      cancellations: createCancellations(bus, isCancelled),
      log: silentLogger(),
    },
    { ...verifyCitations, policy },
    ((_input: never, context: StepContext) => handler(context)) as AnyHandler,
    delivery,
  );
}

async function cancelled(): Promise<void> {
  await ledger.close({ n: 1, status: "cancelled", at: new Date().toISOString(), reasons: [] });
}

describe("an execution of a step", () => {
  it("that never ends by itself ends with its time limit", async () => {
    const work = execute(() => new Promise(() => undefined), { timeoutMs: 20, lastAttempt: true });
    await expect(work).rejects.toMatchObject({ code: "timeout" });
    expect((await ledger.failure(ref))?.code).toBe("timeout");
  });

  it.each(["record", "starts"])(
    "ends when it is told to though the store does not answer for its %s",
    async (what) => {
      const stop = new AbortController();
      const hang = () => {
        stop.abort();
        return new Promise<never>(() => undefined);
      };
      const silent: ObjectStore = {
        ...store,
        get: (key, how) =>
          what === "record" && key.includes("/ledger/steps/") ? hang() : store.get(key, how),
        async *list(prefix, how) {
          if (what === "starts" && prefix.includes("/ledger/attempts/")) await hang();
          yield* store.list(prefix, how);
        },
      };
      const work = execute(() => expect.unreachable(), { over: silent, signal: stop.signal });
      await expect(work).rejects.toMatchObject({ code: "cancelled", disposition: { kind: "retry" } });
    },
  );

  it("that was fanned out ends when the step that did so is cancelled, and none begins any more", async () => {
    const entered = Promise.withResolvers<void>();
    const hang = () => {
      entered.resolve();
      return new Promise(() => undefined);
    };
    const parent = "process_local_files";
    const work = execute(hang, { parent });
    await entered.promise;
    await ledger.giveUp({ stepId: parent, generation: 1 }, jobCancelled);
    cancel(`${runId} ${parent}.g2`);
    cancel(`${runId} ${parent}.g1`);
    await expect(work).rejects.toMatchObject({ code: "cancelled" });
    await expect(execute(hang, { parent })).rejects.toMatchObject({ code: "cancelled" });
    expect(
      (await ledger.attempts({ ...ref, parent })).filter(({ event }) => event === "started"),
    ).toHaveLength(1);
  });

  it("that has not heard of its cancel adds no version of an artifact any more", async () => {
    const work = execute(async ({ artifacts }) => {
      await ledger.giveUp(ref, jobCancelled);
      await artifacts.writeText(artifact.citations, "too late");
      return verified;
    });
    await expect(work).rejects.toMatchObject({ code: "cancelled" });
    expect((await openRunArtifacts(store, runId).heads()).has(artifact.citations)).toBe(false);
  });

  it("adds no version of an artifact once another execution has finished the step", async () => {
    const frozen = Promise.withResolvers<void>();
    const thawed = Promise.withResolvers<void>();
    const zombie = execute(async ({ artifacts }) => {
      frozen.resolve();
      await thawed.promise;
      await artifacts.writeText(artifact.citations, "of the zombie");
      return verified;
    });
    await frozen.promise;
    await execute(async ({ artifacts }) => {
      await artifacts.writeText(artifact.citations, "of the step");
      return verified;
    });
    const artifacts = openRunArtifacts(store, runId);
    await artifacts.write(artifact.citations, Buffer.from("of a later step"), { author: "later.g1" });
    thawed.resolve();
    await expect(zombie).rejects.toMatchObject({ code: "cancelled", disposition: { kind: "retry" } });
    expect((await openRunArtifacts(store, runId).latest(artifact.citations))?.author).toBe("later.g1");
  });

  it("that finds its step finished after it has noted its start leaves the handler alone", async () => {
    let executions = 0;
    const handler = async () => {
      executions += 1;
      return verified;
    };
    const plain = store;
    store = {
      ...plain,
      async create(key, body, options) {
        const info = await plain.create(key, body, options);
        if (!key.endsWith(".started.json") || store === plain) return info;
        store = plain;
        await execute(handler);
        return info;
      },
    };
    await execute(handler);
    expect(executions).toBe(1);
    expect((await ledger.attempts(ref)).filter(({ event }) => event === "failed")).toMatchObject([
      { error: { code: "cancelled" }, final: false },
    ]);
  });

  it("is given up when one after the other took its worker with it", async () => {
    for (let n = 0; n < 30; n += 1) await ledger.begin(ref);
    let entered = false;
    const work = execute(async () => {
      entered = true;
      return verified;
    });
    await expect(work).rejects.toMatchObject({ code: "internal", disposition: { kind: "fail" } });
    expect(entered).toBe(false);
    expect((await ledger.load()).steps.get(ref.stepId)?.failure?.code).toBe("internal");
  });

  it("that ends as cancelled though nobody cancelled has failed, and is not repeated for ever", async () => {
    const stray = async () => {
      throw new DOMException("a request of its own", "AbortError");
    };
    await expect(execute(stray)).rejects.toMatchObject({ code: "internal" });
    await expect(execute(stray, { lastAttempt: true })).rejects.toMatchObject({ code: "internal" });
    expect((await ledger.failure(ref))?.code).toBe("internal");
  });

  it("ends when word of the cancel comes", async () => {
    const work = execute(async () => {
      await cancelled();
      cancel(runId);
      return new Promise(() => undefined);
    });
    await expect(work).rejects.toMatchObject({ code: "cancelled", disposition: { kind: "fail" } });
    expect(await ledger.failure(ref)).toBeNull();
  });

  it("ends when word of the cancel was missed while the bus was away", async () => {
    const work = execute(async () => {
      await cancelled();
      gap();
      return new Promise(() => undefined);
    });
    await expect(work).rejects.toMatchObject({ code: "cancelled", disposition: { kind: "fail" } });
  });

  it("is repeated where its run was set in motion again before it had noticed the cancel", async () => {
    const work = execute(async () => {
      await cancelled();
      await openLedger(store, runId).open("resume");
      cancel(runId);
      return new Promise(() => undefined);
    });
    await expect(work).rejects.toMatchObject({ code: "cancelled", disposition: { kind: "retry" } });
  });

  it("of a cancelled run does not begin", async () => {
    await cancelled();
    const work = execute(async () => verified);
    await expect(work).rejects.toMatchObject({ code: "cancelled" });
    expect(await ledger.attempts(ref)).toEqual([]);
  });

  it("of a run that was removed does not begin", async () => {
    await removeRun(store, { tenant: "default", runId });
    await expect(execute(async () => verified)).rejects.toMatchObject(removed);
    expect(await Array.fromAsync(store.list(""))).toEqual([]);
  });

  it.each([
    [
      "stops at word of the cancel",
      () => {
        cancel(runId);
        return new Promise<never>(() => undefined);
      },
    ],
    [
      "misses what it reads",
      () => Promise.reject(new ProofroomError({ code: "unreachable", message: "no" })),
    ],
    [
      "writes",
      async ({ artifacts }: StepContext) => {
        await artifacts.writeText(artifact.citations, "too late");
        return verified;
      },
    ],
    ["finishes", async () => verified],
  ])(
    "whose run is removed meanwhile leaves no file and is not repeated, where it %s",
    async (_what, goOn) => {
      const left: string[] = [];
      const work = execute(async (context) => {
        await cancelled();
        await removeRun(store, { tenant: "default", runId });
        return goOn(context);
      });
      await expect(work).rejects.toMatchObject(removed);
      for await (const { key } of store.list(`runs/${runId}/`))
        if (!key.includes("/history/")) left.push(key);
      expect(left).toEqual([]);
      expect((await openRunArtifacts(store, runId).heads()).size).toBe(0);
    },
  );

  it("that had failed for good before the queue knew of it fails again without its handler", async () => {
    await ledger.fail(ref, await ledger.begin(ref), { code: "too_large", message: "no" }, { final: true });
    const work = execute(async () => verified);
    await expect(work).rejects.toMatchObject({ code: "too_large", disposition: { kind: "fail" } });
    expect((await ledger.attempts(ref)).map(({ event }) => event)).toEqual(["started", "failed"]);
  });

  it("whose answer has the wrong form leaves no record", async () => {
    await expect(execute(async () => ({ sentences: 1n }))).rejects.toMatchObject({ code: "internal" });
    expect(await ledger.record(ref)).toBeNull();
  });

  it("passes on what its handler failed with, in public words", async () => {
    const failing = async () => {
      throw new ProofroomError({ code: "invalid_input", message: "no", cause: new Error("secret") });
    };
    await expect(execute(failing)).rejects.toMatchObject({ code: "invalid_input" });
    expect(await ledger.failure(ref)).toEqual({ code: "invalid_input", message: "no" });
  });
});
