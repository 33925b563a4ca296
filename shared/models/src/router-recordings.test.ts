import { costOfRun } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";
import { eventually, geminiBody, geminiError } from "@proofroom/testing";
import { describe, expect, it } from "vitest";
import { asker, good, key, otherGood, question, useTestRouter } from "./testing/open-test-router.ts";

const place = useTestRouter();

describe("recordings", () => {
  it("answer the same question of the same step, whoever had answered; another generation asks anew", async () => {
    place.google.next(geminiError(503, "overloaded"));
    place.other.next({ body: otherGood });
    await (await place.open()).ask(question());
    expect(await (await place.open()).ask(question())).toMatchObject({ by: "second" });
    expect(place.google.requests).toHaveLength(1);
    place.google.next({ body: good });
    const again = question({ asker: { ...asker, generation: 2 } });
    expect(await (await place.open()).ask(again)).toMatchObject({ by: "first" });
  });

  it("of a generation that failed are not asked for again by the one that goes on from it", async () => {
    place.google.next({ body: good });
    await (await place.open()).ask(question());
    const second = { ...asker, generation: 2 };
    const runs = { answersOf: async () => ({ places: [second, asker], only: false }) };
    expect(await (await place.open({ runs })).ask(question({ asker: second }))).toMatchObject({
      by: "first",
    });
    expect(place.google.requests).toHaveLength(1);
  });

  it("are replayed in another run without a call or a key, flaws and all", async () => {
    place.google.next({ body: geminiBody("?") }, { body: good });
    await (await place.open()).ask(question());
    const runs = { answersOf: async () => ({ places: [asker], only: true }) };
    for (const given of [place.settings(), {}]) {
      const models = await place.open({ runs, settings: given });
      const asked = { ...asker, runId: `run_${"1".repeat(26)}` };
      expect(await models.ask(question({ asker: asked }))).toEqual({ by: "first", value: { a: "first" } });
      const unknown = question({
        asker: asked,
        request: { parts: [{ kind: "text", text: "Why?" }], maxTokens: 500 },
      });
      await expect(models.ask(unknown)).rejects.toMatchObject({ code: "not_found" });
      // Nobody had been asked to be the critic.
      expect(await models.ask({ ...unknown, role: "critic" })).toEqual({ by: "extractive" });
    }
    expect(place.google.requests).toHaveLength(2);
  });

  it("that hold no text are not taken for a run without models by a replay", async () => {
    place.google.next({ body: good });
    await (await place.open({ keepsText: false })).ask(question());
    const models = await place.open({ runs: { answersOf: async () => ({ places: [asker], only: true }) } });
    await expect(models.ask(question())).rejects.toMatchObject({ code: "not_found" });
    expect(place.google.requests).toHaveLength(1);
  });

  it("count what was paid for twice twice, where they hold no text by which it could be found again", async () => {
    place.google.next({ body: good }, { body: good });
    const models = await place.open({ keepsText: false });
    await models.ask(question());
    await models.ask(question());
    expect(await costOfRun(place.store, asker.runId)).toMatchObject({ calls: 2, models: { first: 2 } });
  });

  it("hold an answer that was paid for, though its reservation cannot be settled then", async () => {
    place.google.next({ body: good });
    place.settles = () => Promise.reject(new ProofroomError({ code: "dependency_down", message: "away" }));
    await expect((await place.open()).ask(question())).rejects.toMatchObject({ code: "dependency_down" });
    place.settles = async () => undefined;
    expect(await (await place.open()).ask(question())).toMatchObject({ by: "first" });
    expect(place.google.requests).toHaveLength(1);
  });

  it("hold no text where none may be kept, and never a key", async () => {
    place.google.next({ body: good }, { body: good });
    const kept = await place.open({ keepsText: false });
    await kept.ask(question());
    await (await place.open()).ask(question({ asker: { ...asker, generation: 2 } }));
    const texts = [];
    for await (const { key } of place.store.list(""))
      texts.push(await new Response((await place.store.get(key)).body).text());
    expect(texts).toHaveLength(2);
    expect(texts.filter((text) => text.includes("What?"))).toHaveLength(1);
    expect(texts.join()).not.toContain(key);
  });

  it("are looked for once for each model of the cascade, before it is asked", async () => {
    let looked = 0;
    const { store } = place;
    place.store = {
      ...store,
      get(key, options) {
        looked += 1;
        return store.get(key, options);
      },
    };
    place.google.next({ body: good });
    await (await place.open()).ask(question());
    expect(looked).toBe(2);
  });

  it("are made while the reservation is settled", async () => {
    const settled = Promise.withResolvers<void>();
    place.settles = () => settled.promise;
    place.google.next({ body: good });
    const work = (await place.open()).ask(question());
    await eventually(async () => (await Array.fromAsync(place.store.list(""))).length === 1);
    settled.resolve();
    expect(await work).toMatchObject({ by: "first" });
  });
});
