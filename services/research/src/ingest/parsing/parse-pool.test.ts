import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EndedChild, LostChild } from "./parse-child.ts";
import { openParsePool, type ParsePool } from "./parse-pool.ts";

/** What the children answer, one after the other, and how many there were. */
const script = vi.hoisted(() => ({ answers: [] as unknown[], children: 0 }));
vi.mock("./parse-child.ts", async (original) => ({
  ...(await original<typeof import("./parse-child.ts")>()),
  ParseChild: class {
    readonly maxOldSpaceMb: number;
    readonly exited = Promise.resolve();
    isUsed = false;
    isFit = true;

    constructor(maxOldSpaceMb: number) {
      this.maxOldSpaceMb = maxOldSpaceMb;
      script.children += 1;
    }

    async run() {
      this.isUsed = true;
      const answer = script.answers.shift();
      if (!(answer instanceof Error)) return answer;
      this.isFit = false;
      throw answer;
    }

    async end() {}
  },
}));

const ended = () => new EndedChild({ code: "invalid_input", message: "It is malformed." });
const crashed = () => new LostChild({ code: "invalid_input", message: "It is malformed." });
const limits = { signal: new AbortController().signal, timeoutMs: 1_000, maxOldSpaceMb: 64 };

let pool: ParsePool;
beforeEach(() => {
  script.children = 0;
  pool = openParsePool({ size: 1 });
});
afterEach(() => pool.close());

const run = (...answers: unknown[]) => {
  script.answers = answers;
  return pool.run(new URL("file:///x.ts"), null, limits);
};

describe("an input whose child is lost", () => {
  test("is read by another where a fresh child ended, for nobody knows by whom", async () => {
    await expect(run(ended(), "read")).resolves.toBe("read");
    expect(script.children).toBe(2);
  });

  test("is malformed where two children ended", async () => {
    await expect(run(ended(), ended(), "read")).rejects.toMatchObject({ code: "invalid_input" });
    expect(script.children).toBe(2);
  });

  test("is malformed at once where the parser of a fresh child failed", async () => {
    await expect(run(crashed(), "read")).rejects.toMatchObject({ code: "invalid_input" });
    expect(script.children).toBe(1);
  });

  test("is read by a fresh child where one failed that had read others", async () => {
    await run("one");
    await expect(run(crashed(), "read")).resolves.toBe("read");
    expect(script.children).toBe(2);
  });
});
