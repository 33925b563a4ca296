import { setImmediate as turn } from "node:timers/promises";
import { isProofroomError } from "@proofroom/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BudgetOptions, createBudgets } from "./budget.ts";
import { createLocalHolds } from "./testing/local-holds.ts";

const runId = `run_${"0".repeat(26)}`;
const signal = new AbortController().signal;
const nothing = { usd: 0, tokens: 0, searches: 0, pages: 0 };
const cents = fc.integer({ min: 0, max: 20 });
const calls = fc.array(
  fc.record({ atMost: cents, share: fc.double({ min: 0, max: 1, noNaN: true }), turns: fc.nat(4) }),
  { maxLength: 12 },
);

const open = (options: Pick<BudgetOptions, "budgetOf"> & Partial<BudgetOptions>) =>
  createBudgets({ spentBy: async () => nothing, holds: createLocalHolds(), askAgainMs: 0, ...options });

describe("the budget of a run", () => {
  it("is never exceeded by calls of two processes at once, and refuses only what no longer fits when the others have ended", async () => {
    await fc.assert(
      fc.asyncProperty(calls, cents, async (planned, budget) => {
        let spent = 0;
        let underWay = 0;
        const holds = createLocalHolds();
        const processes = [1, 2].map(() =>
          open({
            budgetOf: async () => ({ searches: budget }),
            spentBy: async () => {
              const now = { ...nothing, searches: spent };
              await turn();
              return now;
            },
            holds,
          }),
        );
        const make = async ({ atMost, share, turns }: (typeof planned)[number], nth: number) => {
          try {
            await processes[nth % 2]?.within({ runId, atMost: { searches: atMost }, signal }, async () => {
              underWay += atMost;
              if (atMost > 0) expect(spent + underWay).toBeLessThanOrEqual(budget);
              for (let n = 0; n < turns; n += 1) await turn();
              spent += Math.floor(atMost * share);
              underWay -= atMost;
            });
          } catch (error) {
            if (!isProofroomError(error) || error.code !== "budget") throw error;
            expect(spent + atMost).toBeGreaterThan(budget);
          }
        };
        await Promise.all(planned.map(make));
      }),
      { numRuns: 50 },
    );
  });

  it("is waited for no longer once the work is cancelled", async () => {
    const budgets = open({ budgetOf: async () => ({ usd: 3 }) });
    const never = new AbortController();
    const first = budgets.within(
      { runId, atMost: { usd: 2 }, signal },
      () =>
        new Promise<void>((resolve) => {
          never.signal.addEventListener("abort", () => resolve());
        }),
    );
    const controller = new AbortController();
    let entered = false;
    const second = budgets.within({ runId, atMost: { usd: 2 }, signal: controller.signal }, async () => {
      entered = true;
    });
    await turn();
    controller.abort();
    await expect(second).rejects.toMatchObject({ name: "AbortError" });
    expect(entered).toBe(false);
    never.abort();
    await first;
    await budgets.within({ runId, atMost: { usd: 2 }, signal }, async () => undefined);
  });

  it("is waited for in the queue, without a failure, while calls under way may take what is left of it", async () => {
    const budgets = open({ budgetOf: async () => ({ usd: 3 }), patienceMs: 0 });
    const end = Promise.withResolvers<void>();
    const first = budgets.within({ runId, atMost: { usd: 2 }, signal }, () => end.promise);
    const second = budgets.within({ runId, atMost: { usd: 2 }, signal }, async () => expect.unreachable());
    await expect(second).rejects.toMatchObject({
      code: "quota",
      message: expect.stringContaining("goes on by itself"),
      disposition: { kind: "wait", delayMs: expect.any(Number) },
    });
    end.resolve();
    await first;
    expect(await budgets.within({ runId, atMost: { usd: 3 }, signal }, async () => "made")).toBe("made");
  });

  it("counts as it was raised for a call that waits already", async () => {
    let usd = 3;
    const asked = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const holds = createLocalHolds();
    const budgets = open({
      budgetOf: async () => ({ usd }),
      holds: {
        ...holds,
        async hold(mine) {
          const before = await holds.hold(mine);
          if (before["usd"] !== undefined) asked.resolve();
          return before;
        },
      },
    });
    const first = budgets.within({ runId, atMost: { usd: 2 }, signal }, () => end.promise);
    const second = budgets.within({ runId, atMost: { usd: 2 }, signal }, async () => "made");
    await asked.promise;
    await turn();
    usd = 4;
    expect(await second).toBe("made");
    end.resolve();
    await first;
  });

  it("holds a call that takes all of it once others have ended, however their fractions are rounded", async () => {
    const budgets = open({ budgetOf: async () => ({ usd: 0.7 }) });
    const ends = [0.1, 0.2, 0.3].map((usd) => {
      const end = Promise.withResolvers<void>();
      return { end, made: budgets.within({ runId, atMost: { usd }, signal }, () => end.promise) };
    });
    await turn();
    const last = budgets.within({ runId, atMost: { usd: 0.7 }, signal }, async () => "made");
    for (const { end } of ends) end.resolve();
    await Promise.all(ends.map(({ made }) => made));
    expect(await last).toBe("made");
  });

  it("is kept while Redis is away: what cannot be held is not called, and waits no longer than its work", async () => {
    const controller = new AbortController();
    const hold = () => {
      controller.abort();
      return new Promise<never>(() => undefined);
    };
    const budgets = open({ budgetOf: async () => ({ usd: 3 }), holds: { ...createLocalHolds(), hold } });
    const work = budgets.within({ runId, atMost: { usd: 2 }, signal: controller.signal }, async () =>
      expect.unreachable(),
    );
    await expect(work).rejects.toMatchObject({ name: "AbortError" });
  });

  it("is held by a call for as long as it is made, and no longer", async () => {
    const holds = createLocalHolds();
    const renewed = Promise.withResolvers<void>();
    let times = 0;
    const counted = {
      ...holds,
      renewMs: 1,
      async hold(mine: Parameters<typeof holds.hold>[0]) {
        times += 1;
        if (times === 3) renewed.resolve();
        return holds.hold(mine);
      },
    };
    const budgets = open({ budgetOf: async () => ({ usd: 3 }), holds: counted });
    await budgets.within({ runId, atMost: { usd: 2 }, signal }, () => renewed.promise);
    const other = { runId, id: "other", amounts: { usd: 1 } };
    expect(await holds.hold(other)).toEqual({});
  });

  it("is asked for by nothing that costs nothing", async () => {
    const budgets = open({ budgetOf: async () => expect.unreachable() });
    expect(await budgets.within({ runId, atMost: { usd: 0 }, signal }, async () => "free")).toBe("free");
  });

  it("limits each of what it names, and says which is spent", async () => {
    const budgets = open({
      budgetOf: async () => ({ usd: 1, searches: 2, pages: 0 }),
      spentBy: async () => ({ usd: 0.5, tokens: 900, searches: 2, pages: 0 }),
    });
    const within = (atMost: Parameters<typeof budgets.within>[0]["atMost"]) =>
      budgets.within({ runId, atMost, signal }, async () => "made");
    await expect(within({ searches: 1, usd: 0.1 })).rejects.toThrow("made 2 searches, and 2 are its budget");
    await expect(within({ pages: 1 })).rejects.toThrow("fetched 0 pages");
    await expect(within({ usd: 0.6 })).rejects.toThrow("spent $0.5000");
    expect(await within({ usd: 0.5, tokens: 1e9 })).toBe("made");
  });
});
