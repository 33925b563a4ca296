import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourceSchema } from "@proofroom/contracts";
import type { StepContext } from "@proofroom/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createIngestRepository } from "./handler.ts";

let tempRoot: string;

beforeAll(async () => {
  tempRoot = await mkdtemp(join(tmpdir(), "proofroom-handler-"));
});

afterAll(async () => {
  await rm(tempRoot, { recursive: true });
});

const entries = [
  { path: "code/", kind: "repository", files: ["code/README.md", "code/src/a.py"], commit: "0".repeat(40) },
  { path: "gone/", kind: "folder", files: [], error: { code: "not_found", message: "No such folder." } },
];

function contextWith(written: Map<string, unknown>): StepContext {
  const stored: Record<string, unknown> = {
    ".nova/uploads.json": { v: 1, entries },
    ".nova/uploads/code/README.md": Buffer.from("# Code\n\nWords of the folder.\n"),
    ".nova/uploads/code/src/a.py": Buffer.from("def a():\n    return 1\n"),
  };
  return {
    stepId: "ingest_repository-0123456789abcdef",
    signal: AbortSignal.timeout(20_000),
    artifacts: {
      readJson: async (name: string, schema: { parse(value: unknown): unknown }) =>
        schema.parse(stored[name]),
      readBytes: async (name: string) => stored[name],
      writeJson: async (name: string, value: unknown) => written.set(name, value),
    },
  } as unknown as StepContext;
}

describe("ingest_repository", () => {
  const handle = () =>
    createIngestRepository({ now: () => new Date("2025-01-02T03:04:05Z"), tempRoot, allowHosts: new Set() });

  test("an uploaded folder becomes a source with paths below it, and leaves no files behind", async () => {
    const written = new Map<string, unknown>();
    const answer = await handle()({ ref: "code/", origin: "upload" }, contextWith(written));
    const artifact = ".nova/sources/ingest_repository-0123456789abcdef.json";
    const source = sourceSchema.parse(written.get(artifact));
    expect(answer).toEqual({
      ref: "code/",
      kind: "repository",
      title: "code",
      artifact,
      sha256: source.sha256,
    });
    expect(source.spans.map((span) => span.locator.file)).toEqual(["README.md", "src/a.py"]);
    expect(source.provenance).toMatchObject({
      commit: "0".repeat(40),
      retrieved_at: "2025-01-02T03:04:05.000Z",
    });
    expect(await readdir(tempRoot)).toEqual([]);
  });

  test("a folder that could not be copied fails as the copying did", async () => {
    const written = new Map<string, unknown>();
    const failing = handle()({ ref: "gone/", origin: "upload" }, contextWith(written));
    await expect(failing).rejects.toMatchObject({ code: "not_found", message: "No such folder." });
    expect(written.size).toBe(0);
  });
});
