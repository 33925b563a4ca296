import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitServer, git, putFiles, startGitServer } from "@proofroom/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openParsePool } from "../parsing/parse-pool.ts";
import type { GitHostAccess } from "./git-settings.ts";
import { ingestFolder, ingestRepository } from "./ingest-repository.ts";

const parsing = openParsePool();
let root: string;
let tempRoot: string;
let work: string;
let server: GitServer;
let first: string;
const gistId = "0123456789abcdef0123456789abcdef";
const marker = () => join(root, "executed");

const signal = () => AbortSignal.timeout(25_000);
const networkOf = (allowHosts: ReadonlySet<string>, access: GitHostAccess[] = []) => ({
  allowHosts,
  git: { access },
  now: () => new Date("2025-01-02T03:04:05Z"),
});
const remote = (path: string, more: object = {}) =>
  ingestRepository({
    ref: `http://${server.host}/${path}`,
    signal: signal(),
    tempRoot,
    parsing,
    network: networkOf(new Set([server.host])),
    ...more,
  });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "proofroom-git-"));
  tempRoot = join(root, "temp");
  work = join(root, "work");
  const touch = `require("node:fs").writeFileSync(${JSON.stringify(marker())}, "x")`;
  await putFiles(work, {
    "README.md": "# Queue\n\nA queue that never loses work.\n",
    "docs/guide.md": "# Guide\n\n## Start\n\nPut a job in.\r\n",
    "src/queue.py": "def putFiles(job):\n    return job\n\n\ndef take():\n    return None\n",
    "src/data.bin": "a\0b",
    LICENSE: "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n",
    AUTHORS: "The Queue Authors\n",
    "repomix.config.mjs": `import fs from "node:fs";\nfs.writeFileSync(${JSON.stringify(marker())}, "x");\nexport default {};\n`,
    "repomix.config.ts": `${touch};\nexport default {};\n`,
    "src/repomix.config.js": `${touch};\n`,
    "secret.txt": `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEA7bq".repeat(20)}\n-----END RSA PRIVATE KEY-----\n`,
    ".gitattributes": "*.py filter=evil\n",
    "notes.ipynb": JSON.stringify({
      cells: [{ cell_type: "code", source: "print(41)", outputs: [] }],
      nbformat: 4,
    }),
    "nb/[deep] talk.ipynb": JSON.stringify({
      cells: [
        { cell_type: "markdown", source: "# Retrying\n\nA retry waits before it tries again." },
        {
          cell_type: "code",
          source: "print(6 * 7)",
          outputs: [
            { output_type: "stream", text: ["42\n"] },
            { output_type: "display_data", data: { "image/png": "A".repeat(1_500_000) } },
          ],
        },
      ],
      nbformat: 4,
    }),
    "models/weights.txt": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
  });
  await writeFile(join(work, "src/noise.bin"), randomBytes(400_000));
  await symlink("/etc/passwd", join(work, "passwd.md"));
  git(work, "init", "-q", "-b", "main");
  git(work, "add", "-A");
  git(work, "commit", "-q", "-m", "one");
  first = git(work, "rev-parse", "HEAD");
  git(work, "tag", "-a", "v1.0", "-m", "one");
  git(work, "checkout", "-q", "-b", "feature/deep");
  await putFiles(work, { "docs/guide.md": "# Guide\n\nOn the branch.\n" });
  git(work, "commit", "-q", "-a", "-m", "two");
  git(work, "checkout", "-q", "main");
  await putFiles(work, { "docs/guide.md": "# Guide\n\nThe newest words.\n" });
  git(work, "commit", "-q", "-a", "-m", "three");
  await mkdir(join(root, "served", "o"), { recursive: true });
  git(root, "clone", "-q", "--bare", "work", "served/o/r.git");
  git(root, "clone", "-q", "--bare", "work", "served/o/plain.git");
  git(join(root, "served/o/r.git"), "config", "uploadpack.allowFilter", "true");
  git(root, "clone", "-q", "--bare", "work", "served/stalled/r.git");
  git(root, "init", "-q", "--bare", "served/o/empty.git");
  git(root, "clone", "-q", "--bare", "work", `served/person/${gistId}.git`);
  server = await startGitServer(join(root, "served"));
});

afterEach(() => server.rules.clear());

afterAll(async () => {
  await parsing.close();
  await server.close();
  await rm(root, { recursive: true });
});

describe("a repository by its address", () => {
  test("is one section per file with lines at the commit; two runs are the same byte for byte", async () => {
    const source = await remote("o/r.git");
    expect(source).toMatchObject({
      kind: "repository",
      title: "o/r",
      provenance: { method: "git", commit: git(work, "rev-parse", "main"), licence: "MIT" },
    });
    expect(source.provenance.revision).toBeUndefined();
    const spans = source.spans.map((span) => [source.text.slice(span.start, span.end), span.locator]);
    expect(spans).toContainEqual([
      "A queue that never loses work.",
      { headings: ["Queue"], file: "README.md", line_from: 3, line_to: 3 },
    ]);
    expect(spans).toContainEqual([
      "def putFiles(job):\n    return job\n\n\ndef take():\n    return None",
      { file: "src/queue.py", line_from: 1, line_to: 6 },
    ]);
    expect(spans).toContainEqual(["print(41)", { cell: 1, file: "notes.ipynb" }]);
    expect(source.text.indexOf("## README.md")).toBeLessThan(source.text.indexOf("## docs/guide.md"));
    expect(await remote("o/r.git")).toEqual(source);
  });

  test("nothing of it is executed, links are not followed, secrets and binaries are left out and named", async () => {
    const source = await remote("o/r.git");
    expect(existsSync(marker())).toBe(false);
    expect(source.text).not.toMatch(/repomix\.config|root:x:0|PRIVATE KEY/);
    expect(source.provenance.omissions).toEqual([
      "Symbolic links (1).",
      expect.stringMatching(/binary.*src\/data\.bin/),
      expect.stringMatching(/pointer.*weights\.txt/),
      expect.stringMatching(/secrets.*secret\.txt/),
    ]);
  });

  test.each([
    ["tree/v1.0/docs", "v1.0", "Put a job in.", "docs/guide.md"],
    ["tree/feature/deep/docs", "feature/deep", "On the branch.", "docs/guide.md"],
    ["tree/refs/tags/v1.0/docs/", "v1.0", "Put a job in.", "docs/guide.md"],
    ["blob/main/docs/guide.md", "main", "The newest words.", "docs/guide.md"],
    ["raw/feature/deep/docs/guide.md", "feature/deep", "On the branch.", "docs/guide.md"],
  ])(
    "%s is that part at that revision, with the licence and the authors of the whole",
    async (path, revision, words, file) => {
      const source = await remote(`o/r.git/${path}`);
      expect(source.provenance).toMatchObject({ revision, licence: "MIT", author: "The Queue Authors" });
      expect([...new Set(source.spans.map((span) => span.locator.file))]).toEqual([file]);
      expect(source.text).toContain(words);
    },
  );

  test.each(["o/r.git", "o/plain.git"])(
    "of %s a file is the same source, whatever its host can do",
    async (path) => {
      const read = async (name: string) => {
        const { ref: _ref, ...source } = await remote(
          `${name}/blob/v1.0/nb/%5Bdeep%5D%20talk.ipynb?plain=1#L3`,
        );
        return { ...source, provenance: { ...source.provenance, final_url: "" } };
      };
      expect(await read(path)).toEqual(await read("o/r.git"));
    },
  );

  test("of a host that can do it no more than the part that is wanted is fetched", async () => {
    const before = server.sent;
    await remote("o/r.git/tree/v1.0/docs");
    await remote("o/r.git/blob/v1.0/src/queue.py");
    expect(server.sent - before).toBeLessThan(100_000);
    await remote("o/plain.git/tree/v1.0/docs");
    expect(server.sent - before).toBeGreaterThan(400_000);
  });

  test("a notebook is a source of its cells and outputs, however large its pictures are", async () => {
    const source = await remote("o/r.git/blob/main/nb/%5Bdeep%5D%20talk.ipynb");
    const file = "nb/[deep] talk.ipynb";
    expect(source).toMatchObject({
      kind: "document",
      title: "Retrying",
      ref: `http://${server.host}/o/r.git/blob/main/nb/%5Bdeep%5D%20talk.ipynb`,
      provenance: {
        method: "git",
        media_type: "application/x-ipynb+json",
        commit: git(work, "rev-parse", "main"),
        revision: "main",
        licence: "MIT",
        omissions: ["1 image (cell 2)."],
      },
    });
    expect(source.spans.map(({ start, end, locator }) => [source.text.slice(start, end), locator])).toEqual([
      ["A retry waits before it tries again.", { headings: ["Retrying"], cell: 1, file }],
      ["print(6 * 7)", { headings: ["Retrying"], cell: 2, file }],
      ["42", { headings: ["Retrying"], cell: 2, file }],
    ]);
  });

  test.each([
    ["src/queue.py", "o/r/src/queue.py at main", "text/x-python"],
    ["docs/guide.md", "Guide", "text/markdown"],
    ["LICENSE", "o/r/LICENSE at main", "text/plain"],
  ])("the spans of %s are its lines at the commit", async (file, title, mediaType) => {
    const source = await remote(`o/r.git/blob/main/${file}`);
    expect(source).toMatchObject({
      title,
      provenance: { media_type: mediaType, commit: git(work, "rev-parse", "main") },
    });
    const lines = git(work, "show", `main:${file}`).replaceAll("\r", "").split("\n");
    expect(source.spans).not.toEqual([]);
    for (const { start, end, locator } of source.spans) {
      expect(locator.file).toBe(file);
      const named = lines.slice((locator.line_from ?? 0) - 1, locator.line_to).join("\n");
      expect(named).toBe(source.text.slice(start, end));
    }
  });

  test.each([
    ["secret.txt", "secrets"],
    ["models/weights.txt", "LFS"],
  ])("%s is no evidence, and the reason is told", async (file, words) => {
    await expect(remote(`o/r.git/blob/main/${file}`)).rejects.toMatchObject({
      code: "no_evidence",
      message: expect.stringContaining(words),
    });
  });

  test("a link at a file's address leads nowhere", async () => {
    await expect(remote("o/r.git/blob/main/passwd.md")).rejects.toMatchObject({ code: "not_found" });
  });

  test("a commit is fetched by its hash, whole or shortened", async () => {
    for (const name of [first, first.slice(0, 9)]) {
      const source = await remote(`o/r.git/tree/${name}`);
      expect(source.provenance).toMatchObject({ commit: first, revision: name });
      expect(source.text).toContain("Put a job in.");
    }
  });

  test("a snippet that is named by a hash is a repository like any other", async () => {
    await expect(remote(`person/${gistId}.git`)).resolves.toMatchObject({
      title: `person/${gistId}`,
      provenance: { commit: git(work, "rev-parse", "main") },
    });
  });

  test("a redirect is followed to an allowed host only", async () => {
    server.redirects.set(
      "/old/r.git/info/refs",
      `http://${server.host}/o/r.git/info/refs?service=git-upload-pack`,
    );
    server.redirects.set("/bad/r.git/info/refs", "http://127.0.0.1:9/o/r.git/info/refs");
    server.redirects.set("/inner/r.git/info/refs", "https://169.254.169.254/o/r.git/info/refs");
    server.redirects.set("/login/r.git/info/refs", "/login");
    await expect(remote("old/r.git")).resolves.toMatchObject({
      provenance: { final_url: `http://${server.host}/o/r.git` },
    });
    await expect(remote("bad/r.git")).rejects.toMatchObject({ code: "invalid_input" });
    await expect(remote("inner/r.git")).rejects.toMatchObject({ code: "private_address" });
    await expect(remote("login/r.git")).rejects.toMatchObject({ code: "not_found" });
  });

  test.each([
    ["o/none.git", "not_found"],
    ["o/r.git/tree/gone", "not_found"],
    ["o/r.git/tree/0123456789012345678901234567890123456789", "not_found"],
    ["o/r.git/tree/main/none", "not_found"],
  ])("%s is %s", async (path, code) => {
    await expect(remote(path)).rejects.toMatchObject({ code });
  });

  test("a repository without commits is a failure", async () => {
    await expect(remote("o/empty.git")).rejects.toMatchObject({ code: "not_found" });
  });

  test("loopback is refused where it is not allowed, and a host that is away is unreachable", async () => {
    const refused = ingestRepository({
      ref: `http://${server.host}/o/r.git`,
      signal: signal(),
      tempRoot,
      parsing,
      network: networkOf(new Set()),
    });
    await expect(refused).rejects.toMatchObject({ code: "private_address" });
    const away = ingestRepository({
      ref: "http://127.0.0.1:9/o/r.git",
      signal: signal(),
      tempRoot,
      parsing,
      network: networkOf(new Set(["127.0.0.1:9"])),
    });
    await expect(away).rejects.toMatchObject({ code: "unreachable" });
  });

  test("a repository over the limit is too_large, and an abort ends the work; neither leaves files", async () => {
    await expect(remote("o/r.git", { maxBytes: 100 })).rejects.toMatchObject({ code: "too_large" });
    await expect(remote("o/r.git", { signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow(
      "stopped",
    );
    expect(await readdir(tempRoot)).toEqual([]);
  });

  test("a host that is too slow ends as a time-out that is final, with git and its children gone", async () => {
    server.rules.set("/o/r.git/git-upload-pack", () => "never");
    const slow = remote("o/r.git", { timeoutMs: 1_500 });
    await expect(slow).rejects.toMatchObject({ code: "timeout", disposition: { kind: "fail" } });
    expect(await readdir(tempRoot)).toEqual([]);
  });

  test("where git is not installed that is what is told", async () => {
    const without = remote("o/r.git", { gitEnvironment: { PATH: "/nonexistent" } });
    await expect(without).rejects.toMatchObject({
      code: "not_configured",
      remedy: expect.stringMatching(/git/),
    });
  });

  test("a list of refs without end is too_large, not git's memory", async () => {
    server.rules.set("/endless/", (_request, before) => (before.length === 0 ? { status: 200 } : null));
    const endless = remote("endless/r.git/tree/main", { maxMemoryBytes: 200_000_000 });
    await expect(endless).rejects.toMatchObject({ code: "too_large" });
    expect(await readdir(tempRoot)).toEqual([]);
  });

  test("an abort in the middle of a clone kills git and its children and leaves no files", async () => {
    const abort = new AbortController();
    const running = remote("stalled/r.git", { signal: abort.signal });
    const outcome = expect(running).rejects.toThrow("stopped later");
    await server.stalled.begun;
    abort.abort(new Error("stopped later"));
    await outcome;
    await server.stalled.ended;
    expect(await readdir(tempRoot)).toEqual([]);
  });
});

describe("an uploaded folder", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  test("gives the same digest without git; what git or repomix would execute is not even written", async () => {
    const evil = `#!/bin/sh\ntouch ${marker()}\n`;
    const hook = join(root, "hook.sh");
    await writeFile(hook, evil);
    await chmod(hook, 0o755);
    const source = await ingestFolder({
      ref: "code/",
      signal: signal(),
      tempRoot,
      parsing,
      isRepository: true,
      commit: first,
      files: [
        { path: "README.md", bytes: bytes("# Folder\n\nWords in a folder.\n") },
        { path: ".git/config", bytes: bytes(`[core]\n\tfsmonitor = ${hook}\n\thooksPath = .git/hooks\n`) },
        { path: ".git/hooks/post-checkout", bytes: bytes(evil) },
        { path: "lib/repomix.config.ts", bytes: bytes(evil) },
        { path: "repomix.config.mjs", bytes: bytes(`import "node:fs";`) },
      ],
    });
    expect(source).toMatchObject({
      kind: "repository",
      title: "code",
      provenance: { method: "file", commit: first, omissions: [] },
    });
    expect(source.spans.map((span) => span.locator.file)).toEqual(["README.md"]);
    expect(existsSync(marker())).toBe(false);
  });

  test("a path that leads out is refused, and a folder without text is no_evidence", async () => {
    const folder = (path: string, content: string) =>
      ingestFolder({
        ref: "x/",
        signal: signal(),
        tempRoot,
        parsing,
        isRepository: false,
        files: [{ path, bytes: bytes(content) }],
      });
    await expect(folder("../out.md", "x")).rejects.toMatchObject({ code: "invalid_input" });
    await expect(folder("a.png", "\0")).rejects.toMatchObject({ code: "no_evidence" });
    expect(await readdir(tempRoot)).toEqual([]);
  });
});
