import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openParsePool, type ParsePool } from "./parse-pool.ts";

let folder: string;
let pool: ParsePool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proofroom-parse-"));
  pool = openParsePool();
});

afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

async function moduleOf(name: string, code: string): Promise<URL> {
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, code);
  return pathToFileURL(file);
}

const limits = { signal: AbortSignal.timeout(60_000), timeoutMs: 30_000, maxOldSpaceMb: 64 };

const pidOf = () => moduleOf("pid", "export const work = () => process.pid;");
const loop = () => moduleOf("loop", "export const work = () => { for (;;) {} };");

/** A process that has ended but was not collected yet is not alive. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  return !/^\d+ \(.*\) [ZX] /.test(stat);
}

const gone = (pid: number) =>
  vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), { timeout: 20_000, interval: 20 });

describe("a parse in a process of its own", () => {
  test("answers with a structured clone of what work returned", async () => {
    const url = await moduleOf(
      "sum",
      "export const work = async ({ bytes }) => ({ sum: bytes[0] + bytes[1] });",
    );
    await expect(pool.run(url, { bytes: new Uint8Array([2, 3]) }, limits)).resolves.toEqual({ sum: 5 });
  });

  test("an endless loop ends with the time-out, and is not tried again", async () => {
    await expect(pool.run(await loop(), null, { ...limits, timeoutMs: 150 })).rejects.toMatchObject({
      code: "timeout",
      disposition: { kind: "fail" },
    });
  });

  test("an abort ends an endless loop with the signal's reason", async () => {
    const abort = new AbortController();
    const running = pool.run(await loop(), null, { ...limits, signal: abort.signal });
    abort.abort(new Error("stopped by the caller"));
    await expect(running).rejects.toThrow("stopped by the caller");
  });

  test("a heap that grows without end is too_large, and this process lives", async () => {
    const url = await moduleOf(
      "grow",
      "export const work = () => { const kept = []; for (;;) kept.push(new Array(1000).fill({ x: kept.length })); };",
    );
    await expect(pool.run(url, null, limits)).rejects.toMatchObject({ code: "too_large" });
  });

  test("an error of ours keeps its code and words", async () => {
    const url = await moduleOf(
      "ours",
      `export const work = () => { throw Object.assign(new Error("no text"), {
        [Symbol.for("proofroom.error")]: true, code: "invalid_input", remedy: "Give text." }); };`,
    );
    await expect(pool.run(url, null, limits)).rejects.toMatchObject({
      code: "invalid_input",
      message: "no text",
      remedy: "Give text.",
    });
  });

  test("a foreign error and a sudden exit say that the input is malformed, without their words", async () => {
    const thrown = await moduleOf(
      "thrown",
      `export const work = () => { throw new Error("secret words"); };`,
    );
    await expect(pool.run(thrown, null, limits)).rejects.toMatchObject({
      code: "invalid_input",
      message: "The input is malformed: its parser gave up on it.",
      disposition: { kind: "fail" },
    });
    const gone = await moduleOf("gone", "export const work = () => { process.exit(0); };");
    await expect(pool.run(gone, null, limits)).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("a module that cannot be loaded, and a fault of ours, are no fault of the input", async () => {
    const missing = await moduleOf("missing", `import "./nowhere.mjs"; export const work = () => 1;`);
    const wrong = await moduleOf("wrong", "export const work = () => (1).toFixed(101);");
    for (const url of [missing, wrong])
      await expect(pool.run(url, null, limits)).rejects.toMatchObject({
        code: "internal",
        disposition: { kind: "retry" },
      });
  });

  test("what exceeds the stack is too large", async () => {
    const url = await moduleOf(
      "deep",
      "export const work = () => { const deeper = () => deeper(); deeper(); };",
    );
    await expect(pool.run(url, null, limits)).rejects.toMatchObject({ code: "too_large" });
  });

  test("the child sees none of the environment and cannot write files", async () => {
    const marker = join(folder, "written");
    const url = await moduleOf(
      "env",
      `import { writeFileSync } from "node:fs";
      export const work = () => {
        let refused = "";
        try { writeFileSync(${JSON.stringify(marker)}, "x"); } catch (error) { refused = error.code; }
        return { secret: process.env.PROOFROOM_TEST_SECRET ?? null, refused };
      };`,
    );
    process.env["PROOFROOM_TEST_SECRET"] = "s3cret";
    try {
      await expect(pool.run(url, null, limits)).resolves.toEqual({
        secret: null,
        refused: "ERR_ACCESS_DENIED",
      });
    } finally {
      delete process.env["PROOFROOM_TEST_SECRET"];
    }
  });
});

describe("the children of a pool", () => {
  let own: ParsePool;

  beforeEach(() => {
    own = openParsePool({ size: 1 });
  });

  afterEach(() => own.close());

  const pid = async () => own.run<number>(await pidOf(), null, limits);

  test("one is kept for the next document, and its modules stay loaded", async () => {
    const url = await moduleOf("count", "let calls = 0; export const work = () => ++calls;");
    const first = await pid();
    expect([await own.run(url, null, limits), await own.run(url, null, limits)]).toEqual([1, 2]);
    expect(await pid()).toBe(first);
  });

  test("at most so many work at a time, and who waits can be aborted", async () => {
    const abort = new AbortController();
    const stuck = own.run(await loop(), null, { ...limits, signal: abort.signal });
    const waiting = new AbortController();
    const given = own.run(await pidOf(), null, { ...limits, signal: waiting.signal });
    const next = pid();
    waiting.abort(new Error("given up"));
    await expect(given).rejects.toThrow("given up");
    abort.abort(new Error("stopped"));
    await expect(stuck).rejects.toThrow("stopped");
    await expect(next).resolves.toBeGreaterThan(0);
  });

  test.each([
    ["a time-out", "for (;;) {}", { timeoutMs: 100 }],
    ["a sudden exit", "process.exit(1)", {}],
    ["an error that is not ours", "throw new Error()", {}],
    ["growing beyond its bound", "globalThis.kept = Buffer.alloc(500_000_000, 1)", {}],
  ])("%s replaces it", async (name, code, more) => {
    const before = await pid();
    const url = await moduleOf(`end-${name.replaceAll(" ", "-")}`, `export const work = () => { ${code} };`);
    await own.run(url, null, { ...limits, ...more }).catch(() => {});
    expect(await pid()).not.toBe(before);
    expect(await isAlive(before)).toBe(false);
  });

  test("an error of ours does not, and another heap limit does", async () => {
    const before = await pid();
    const ours = `export const work = () => { throw Object.assign(new Error("no"), {
      [Symbol.for("proofroom.error")]: true, code: "invalid_input" }); };`;
    await expect(own.run(await moduleOf("no", ours), null, limits)).rejects.toThrow("no");
    expect(await pid()).toBe(before);
    const larger = { ...limits, maxOldSpaceMb: 128 };
    expect(await own.run<number>(await pidOf(), null, larger)).not.toBe(before);
    expect(await isAlive(before)).toBe(false);
  });

  test("what an earlier document broke does not fail the next one", async () => {
    const breaks = await moduleOf("breaks", "export const work = () => { globalThis.broken = true; };");
    const suffers = await moduleOf(
      "suffers",
      "export const work = () => { if (globalThis.broken) process.exit(1); return 'read'; };",
    );
    await own.run(breaks, null, limits);
    await expect(own.run(suffers, null, limits)).resolves.toBe("read");
  });

  test("with nothing to do it is ended, and started again when needed", async () => {
    const brief = openParsePool({ idleMs: 1 });
    const url = await pidOf();
    const first = await brief.run<number>(url, null, limits);
    await gone(first);
    expect(await brief.run<number>(url, null, limits)).not.toBe(first);
    await brief.close();
  });

  test("closing ends them with what they do and what waits; nothing starts after it", async () => {
    const child = await pid();
    const running = [own.run(await loop(), null, limits), own.run(await pidOf(), null, limits)];
    const outcomes = Promise.allSettled(running);
    await own.close();
    expect(await isAlive(child)).toBe(false);
    const cancelled = { status: "rejected", reason: expect.objectContaining({ code: "cancelled" }) };
    expect(await outcomes).toEqual([cancelled, cancelled]);
    await expect(pid()).rejects.toMatchObject({ code: "cancelled" });
  });

  test("an interrupt of the whole group does not end it; the end of its owner does, even in a loop", async () => {
    const script = join(folder, "owner.mjs");
    await writeFile(
      script,
      `import { openParsePool } from ${JSON.stringify(new URL("./parse-pool.ts", import.meta.url).href)};
      process.on("SIGINT", () => {});
      const pool = openParsePool();
      const limits = { signal: new AbortController().signal, timeoutMs: 60_000, maxOldSpaceMb: 64 };
      const pid = () => pool.run(new URL(${JSON.stringify((await pidOf()).href)}), null, limits);
      console.log(await pid());
      process.kill(0, "SIGINT");
      console.log(await pid());
      pool.run(new URL(${JSON.stringify((await loop()).href)}), null, limits);`,
    );
    const owner: ChildProcess = spawn(process.execPath, ["--no-warnings", script], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    owner.stdout?.on("data", (chunk) => {
      printed += String(chunk);
    });
    await vi.waitFor(() => expect(printed.split("\n")).toHaveLength(3), { timeout: 20_000 });
    const [first, second] = printed.split("\n").map(Number);
    const ended = once(owner, "exit");
    owner.kill("SIGKILL");
    await ended;
    expect(second).toBe(first);
    await gone(first ?? 0);
  });
});
