import { type Disposition, type ErrorCode, ProofroomError } from "@proofroom/contracts";
import { describe, expect, test } from "vitest";
import type { SearchProvider, SearchResult } from "./provider.ts";
import { runQueries, type Search } from "./run-queries.ts";
import type { Wait } from "./wait.ts";

const result: SearchResult = { url: "https://a.dev/", title: "A", text: "Text." };

function failing(code: ErrorCode, disposition: Disposition): ProofroomError {
  return new ProofroomError({ code, message: `It is ${code}.`, disposition });
}

/** A provider that answers each query with what `answer` says of its n-th try. */
function scripted(answer: (query: string, attempt: number) => Promise<SearchResult[]>) {
  const asked: string[] = [];
  const open = { now: 0, most: 0 };
  const provider: SearchProvider = {
    name: "tavily",
    longestQuery: 40,
    async search(query) {
      asked.push(query);
      open.now += 1;
      open.most = Math.max(open.most, open.now);
      try {
        return await answer(query, asked.filter((one) => one === query).length);
      } finally {
        open.now -= 1;
      }
    },
  };
  return { provider, asked, open };
}

function run(
  provider: SearchProvider,
  queries: string[],
  more: { signal?: AbortSignal; wait?: Wait; timeMs?: number; search?: Search } = {},
) {
  return runQueries(provider, queries, {
    signal: new AbortController().signal,
    maxResults: 5,
    search: (_query, _signal, call) => call(() => {}),
    wait: async (_ms, signal) => signal?.throwIfAborted(),
    timeMs: 60_000,
    onDone: () => {},
    ...more,
  });
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe("running queries", () => {
  test("asks three at a time, and answers in the order of the queries", async () => {
    const { provider, open } = scripted(async (query) => {
      for (let n = Number(query); n < 9; n += 1) await tick();
      return [{ ...result, title: query }];
    });
    const queries = Array.from({ length: 9 }, (_, at) => String(at));
    const outcomes = await run(provider, queries);
    expect(open.most).toBe(3);
    expect(outcomes.map(({ answer }) => (answer as SearchResult[])[0]?.title)).toEqual(queries);
  });

  test("one query that fails takes no other with it, and is not dropped in silence", async () => {
    const { provider } = scripted(async (query) => {
      if (query === "bad") throw failing("invalid_input", { kind: "fail" });
      return [result];
    });
    const outcomes = await run(provider, ["one", "bad", "two"]);
    expect(outcomes.map(({ query, answer }) => [query, answer instanceof ProofroomError])).toEqual([
      ["one", false],
      ["bad", true],
      ["two", false],
    ]);
  });

  test("what passes is tried three times, with growing pauses; what does not is tried once", async () => {
    const waits: number[] = [];
    const wait: Wait = async (ms) => void waits.push(ms);
    const { provider, asked } = scripted(async (query) => {
      throw failing("unreachable", { kind: query === "passes" ? "retry" : "fail" });
    });
    await run(provider, ["passes", "stays"], { wait });
    expect(asked.filter((query) => query === "passes")).toHaveLength(3);
    expect(asked.filter((query) => query === "stays")).toHaveLength(1);
    expect(waits).toEqual([1_000, 2_000]);
  });

  test("after a 429 nobody is asked before the pause is over (429s silently drop branches)", async () => {
    const pauses: { ms: number; end: () => void }[] = [];
    const wait: Wait = (ms) => new Promise((resolve) => void pauses.push({ ms, end: resolve }));
    const { provider, asked } = scripted(async (query, attempt) => {
      if (query === "0" && attempt === 1) throw failing("quota", { kind: "retry_after", delayMs: 7_000 });
      await tick();
      return [result];
    });
    const searching = run(provider, ["0", "1", "2", "3", "4", "5"], { wait });
    while (pauses.length === 0) await tick();
    for (let n = 0; n < 20; n += 1) await tick();
    expect(pauses.map(({ ms }) => ms)).toEqual([7_000]);
    expect(asked).toEqual(["0", "1", "2"]);
    pauses[0]?.end();
    const outcomes = await searching;
    expect(outcomes.every(({ answer }) => Array.isArray(answer))).toBe(true);
  });

  test.each([
    ["a bad key does not go on for ever", "not_configured"],
    ["a used-up plan is not asked again and again", "quota"],
  ] as const)("%s", async (_what, code) => {
    const { provider, asked } = scripted(async () => {
      await tick();
      throw failing(code, { kind: "fail" });
    });
    const queries = Array.from({ length: 20 }, (_, at) => String(at));
    const outcomes = await run(provider, queries);
    expect(asked).toHaveLength(3);
    expect(outcomes.map(({ answer }) => (answer as ProofroomError).code)).toEqual(queries.map(() => code));
  });

  test("what was found is kept when the time is over (429 after two hours: everything lost)", async () => {
    const { provider } = scripted(async (query) => {
      if (query === "quick") return [result];
      throw failing("quota", { kind: "retry_after", delayMs: 60_000 });
    });
    const wait: Wait = (_ms, signal) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const outcomes = await run(provider, ["quick", "slow", "slower"], { wait, timeMs: 50 });
    expect(outcomes.map(({ answer }) => (answer instanceof ProofroomError ? answer.code : "found"))).toEqual([
      "found",
      "timeout",
      "timeout",
    ]);
  });

  test("a cancelled call ends with the reason, in the middle of a pause too", async () => {
    const stop = new AbortController();
    const { provider } = scripted(async () => {
      throw failing("quota", { kind: "retry_after", delayMs: 60_000 });
    });
    const wait: Wait = (_ms, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        stop.abort(new Error("stopped by a person"));
      });
    await expect(run(provider, ["1", "2", "3", "4"], { wait, signal: stop.signal })).rejects.toThrow(
      "stopped by a person",
    );
  });

  test("a spent budget ends the call, but not before what is under way has been answered", async () => {
    const answered: string[] = [];
    const { provider, asked } = scripted(async (query) => {
      await tick();
      answered.push(query);
      return [result];
    });
    const search: Search = async (query, _signal, call) => {
      if (query === "dear") throw failing("budget", { kind: "fail" });
      return call(() => {});
    };
    await expect(run(provider, ["one", "dear", "two", "three", "four"], { search })).rejects.toMatchObject({
      code: "budget",
    });
    expect(answered).toEqual(asked);
    expect(asked).toEqual(["one", "two"]);
  });

  test("a budget that calls under way may take ends the call to wait, and no query is asked again for it", async () => {
    const { provider, asked } = scripted(async () => [result]);
    let held = 0;
    const search: Search = async (query, _signal, call) => {
      if (query !== "held") return call(() => {});
      held += 1;
      throw failing("quota", { kind: "wait", delayMs: 5_000 });
    };
    await expect(run(provider, ["one", "held", "two", "three", "four"], { search })).rejects.toMatchObject({
      disposition: { kind: "wait" },
    });
    expect(held).toBe(1);
    expect(asked).not.toContain("four");
  });

  test("what a provider says of its cost reaches whoever counts", async () => {
    const { provider } = scripted(async () => [result]);
    const paid: [string, number][] = [];
    const paying: SearchProvider = {
      ...provider,
      search(query, options) {
        options.costs?.(query.length / 100);
        return provider.search(query, options);
      },
    };
    const search: Search = (query, _signal, call) => call((usd) => paid.push([query, usd]));
    await run(paying, ["one", "three"], { search });
    expect(paid).toEqual([
      ["one", 0.03],
      ["three", 0.05],
    ]);
  });

  test("a query that is too long is cut at a word, and what was asked is told (>400 characters → 400)", async () => {
    const { provider, asked } = scripted(async () => [result]);
    const [outcome] = await run(provider, ["what happens when all clients repeat their requests at once"]);
    expect(asked).toEqual(["what happens when all clients repeat"]);
    expect(outcome).toMatchObject({ cutTo: asked[0] });
  });
});
