import { eventually, geminiBody, geminiError, geminiLimit } from "@proofroom/testing";
import { describe, expect, it } from "vitest";
import { asker, good, otherGood, question, useTestRouter } from "./testing/open-test-router.ts";

const place = useTestRouter();

describe("limits", () => {
  it("that end soon are waited out, and told of; the question is asked then", async () => {
    place.waits = [20, 30];
    place.google.next({ body: good });
    const told: number[] = [];
    expect(await (await place.open()).ask(question({ onWait: (ms) => told.push(ms) }))).toMatchObject({
      by: "first",
    });
    expect(told).toEqual([20]);
  });

  it("that do not end soon give the job back, with the time to go on", async () => {
    place.waits = [90_000, 60_000];
    await expect((await place.open()).ask(question())).rejects.toMatchObject({
      code: "quota",
      disposition: { kind: "wait", delayMs: 60_000 },
    });
    expect([...place.google.requests, ...place.other.requests]).toHaveLength(0);
  });

  it("that smaller calls would reach first are lined up for at the model that is free soonest, by the same name each time", async () => {
    for (const _execution of [1, 2]) {
      place.waits = [90_000, 60_000];
      await expect((await place.open()).ask(question())).rejects.toMatchObject({ code: "quota" });
    }
    const [first, second] = place.linedUp;
    expect(first).toMatchObject({ target: "second", waitMs: 60_000 });
    expect(second).toEqual(first);
    expect(place.waiters.filter((waiter) => waiter === first?.waiter)).toHaveLength(2);
    expect(new Set(place.waiters).size).toBe(2);
  });

  it("of one model are no reason to line up where the next one answers", async () => {
    place.waits = [20];
    place.other.next({ body: otherGood });
    expect(await (await place.open()).ask(question())).toMatchObject({ by: "second" });
    expect(place.linedUp).toEqual([]);
  });

  it("are waited for no longer once the work is cancelled", async () => {
    place.waits = Array.from({ length: 4 }, () => 29_000);
    const controller = new AbortController();
    const work = (await place.open()).ask(
      question({ signal: controller.signal, onWait: () => controller.abort() }),
    );
    await expect(work).rejects.toThrow();
    expect(place.google.requests).toHaveLength(0);
  });

  it.each([
    ["the provider may have counted", { body: "", headers: { "content-type": "application/json" } }, 0],
    ["it has not", geminiError(503, "overloaded"), 1],
  ])("keep what a failed call reserved only where %s", async (_what, failure, settled) => {
    let times = 0;
    place.settles = async () => {
      times += 1;
    };
    const controller = new AbortController();
    const onWait = () => controller.abort();
    const work = (await place.open()).ask(
      question({ role: "transcriber", signal: controller.signal, onWait }),
    );
    place.google.next(failure, failure);
    await expect(work).rejects.toThrow();
    expect(times).toBe(settled);
  });

  const budgetOf = (usd: number) => ({ runs: { budgetOf: async () => ({ usd }) } });

  it("of the run's budget are kept before the call; what costs nothing is still asked", async () => {
    const models = await place.open(budgetOf(0.001));
    await expect(models.ask(question())).rejects.toMatchObject({
      code: "budget",
      remedy: expect.stringMatching(/resume/i),
    });
    expect(place.google.requests).toHaveLength(0);
    place.other.next({ body: otherGood });
    expect(await models.ask(question({ role: "cleaner" }))).toMatchObject({ by: "second" });
  });

  it("of the run's budget make calls wait for each other that it does not hold at once", async () => {
    const release = Promise.withResolvers<void>();
    place.google.next({ body: good, after: release.promise }, { body: good });
    // A call may cost half a cent, so one fits and two do not, but it costs less.
    const models = await place.open(budgetOf(0.008));
    const first = models.ask(question());
    await eventually(() => place.google.open.now === 1);
    const other = models.ask(question({ asker: { ...asker, stepId: "other" } }));
    expect(place.google.requests).toHaveLength(1);
    release.resolve();
    expect(await first).toMatchObject({ by: "first" });
    expect(await other).toMatchObject({ by: "first" });
    expect([place.google.open.most, place.google.requests.length]).toEqual([1, 2]);
  });

  it("of the run's budget end the asking of those that waited in vain", async () => {
    const release = Promise.withResolvers<void>();
    const dear = geminiBody('{"a":"first"}', { inputTokens: 1_000, outputTokens: 500 });
    place.google.next({ body: dear, after: release.promise });
    const models = await place.open(budgetOf(0.008));
    const first = models.ask(question());
    await eventually(() => place.google.open.now === 1);
    const others = ["b", "c", "d"].map((stepId) => models.ask(question({ asker: { ...asker, stepId } })));
    const ends = Promise.allSettled(others);
    release.resolve();
    expect(await first).toMatchObject({ by: "first" });
    for (const end of await ends) expect(end).toMatchObject({ reason: { code: "budget" } });
    expect(place.google.requests).toHaveLength(1);
  });

  it("of how long a model is left alone end after a day, whatever it said", async () => {
    place.google.next(geminiLimit("PerMinute", 10 ** 15));
    await expect(
      (await place.open({ settings: { ...place.settings(), OTHER_API_KEY: "" } })).ask(
        question({ role: "transcriber" }),
      ),
    ).rejects.toMatchObject({
      code: "quota",
      disposition: { kind: "wait", delayMs: 86_400_000 },
    });
    expect(place.cooled.get("first")).toBe(86_400_000);
  });
});
