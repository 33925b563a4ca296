import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runInWorker } from "./parse-worker.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proofroom-worker-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function moduleOf(name: string, code: string): Promise<URL> {
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, code);
  return pathToFileURL(file);
}

const limits = { signal: AbortSignal.timeout(60_000), timeoutMs: 30_000, maxOldSpaceMb: 64 };

describe("a parse in a process of its own", () => {
  test("answers with a structured clone of what work returned", async () => {
    const url = await moduleOf(
      "sum",
      "export const work = async ({ bytes }) => ({ sum: bytes[0] + bytes[1] });",
    );
    await expect(runInWorker(url, { bytes: new Uint8Array([2, 3]) }, limits)).resolves.toEqual({ sum: 5 });
  });

  test("an endless loop ends with the time-out, and is not tried again", async () => {
    const url = await moduleOf("loop", "export const work = () => { for (;;) {} };");
    await expect(runInWorker(url, null, { ...limits, timeoutMs: 150 })).rejects.toMatchObject({
      code: "timeout",
      disposition: { kind: "fail" },
    });
  });

  test("an abort ends an endless loop with the signal's reason", async () => {
    const url = await moduleOf("loop-2", "export const work = () => { for (;;) {} };");
    const abort = new AbortController();
    const running = runInWorker(url, null, { ...limits, signal: abort.signal });
    abort.abort(new Error("stopped by the caller"));
    await expect(running).rejects.toThrow("stopped by the caller");
  });

  test("a heap that grows without end is too_large, and this process lives", async () => {
    const url = await moduleOf(
      "grow",
      "export const work = () => { const kept = []; for (;;) kept.push(new Array(1000).fill({ x: kept.length })); };",
    );
    await expect(runInWorker(url, null, limits)).rejects.toMatchObject({ code: "too_large" });
  });

  test("an error of ours keeps its code and words", async () => {
    const url = await moduleOf(
      "ours",
      `export const work = () => { throw Object.assign(new Error("no text"), {
        [Symbol.for("proofroom.error")]: true, code: "invalid_input", remedy: "Give text." }); };`,
    );
    await expect(runInWorker(url, null, limits)).rejects.toMatchObject({
      code: "invalid_input",
      message: "no text",
      remedy: "Give text.",
    });
  });

  test("a foreign error and a sudden exit become internal, without their words", async () => {
    const thrown = await moduleOf(
      "thrown",
      `export const work = () => { throw new Error("secret words"); };`,
    );
    await expect(runInWorker(thrown, null, limits)).rejects.toMatchObject({
      code: "internal",
      message: "The input could not be read.",
    });
    const gone = await moduleOf("gone", "export const work = () => { process.exit(0); };");
    await expect(runInWorker(gone, null, limits)).rejects.toMatchObject({ code: "internal" });
  });

  test("the worker sees none of the environment and cannot write files", async () => {
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
      await expect(runInWorker(url, null, limits)).resolves.toEqual({
        secret: null,
        refused: "ERR_ACCESS_DENIED",
      });
    } finally {
      delete process.env["PROOFROOM_TEST_SECRET"];
    }
  });
});
