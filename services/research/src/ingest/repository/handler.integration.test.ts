import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestRepository, sourceSchema } from "@proofroom/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FakeStepContext } from "../../capabilities/fake-step-context.ts";
import { openParsePool } from "../parsing/parse-pool.ts";
import { createIngestRepository } from "./handler.ts";

const parsing = openParsePool();
let tempRoot: string;

beforeAll(async () => {
  tempRoot = await mkdtemp(join(tmpdir(), "proofroom-handler-"));
});

afterAll(async () => {
  await parsing.close();
  await rm(tempRoot, { recursive: true });
});

const entries = [
  {
    path: "code/",
    kind: "repository",
    files: ["code/README.md", "code/src/a.py"],
    skipped: 3,
    commit: "0".repeat(40),
  },
  { path: "gone/", kind: "folder", files: [], error: { code: "not_found", message: "No such folder." } },
];

const context = () =>
  new FakeStepContext(ingestRepository, {
    stepId: "ingest_repository-0123456789abcdef",
    stored: {
      ".nova/uploads.json": { v: 1, entries },
      ".nova/uploads/code/README.md": "# Code\n\nWords of the folder.\n",
      ".nova/uploads/code/src/a.py": "def a():\n    return 1\n",
    },
  });

describe("ingest_repository", () => {
  const handle = () =>
    createIngestRepository({
      now: () => new Date("2025-01-02T03:04:05Z"),
      tempRoot,
      parsing,
      allowHosts: new Set(),
      git: { access: [] },
    });

  test("an uploaded folder becomes a source with paths below it, and leaves no files behind", async () => {
    const step = context();
    const answer = await handle()({ ref: "code/", origin: "upload" }, step);
    const artifact = ".nova/sources/ingest_repository-0123456789abcdef.json";
    const source = sourceSchema.parse(JSON.parse(step.stored.get(artifact) ?? ""));
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
      omissions: ["Links, and files that cannot be read or stored (3)."],
    });
    expect(await readdir(tempRoot)).toEqual([]);
  });

  test("a folder that could not be copied fails as the copying did", async () => {
    const step = context();
    const before = step.stored.size;
    const failing = handle()({ ref: "gone/", origin: "upload" }, step);
    await expect(failing).rejects.toMatchObject({ code: "not_found", message: "No such folder." });
    expect(step.stored.size).toBe(before);
  });
});
