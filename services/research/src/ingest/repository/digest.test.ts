import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Digest, work } from "./digest.ts";
import { stripTree, writeTree } from "./plain-tree.ts";

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "proofroom-digest-")));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

async function digest(files: Readonly<Record<string, string>>, path = ""): Promise<Digest> {
  const all = Object.entries(files).map(([name, content]) => ({ path: name, bytes: Buffer.from(content) }));
  await writeTree(root, all);
  await stripTree(root);
  return work({ root, path, title: "o/r" });
}

describe("the digest of a folder", () => {
  test("every span is the stretch of its file that its lines name", async () => {
    const files = {
      "README.md": "# Title\n\n- one\n- two\n\n```sh\nmake\n```\n",
      "src/a.py": `"""Doc with \`\`\` fences."""\n\n\ndef f():\n    return 1\n`,
      "notes.txt": "First block\nof two lines.\n\nSecond block.\n",
      "bin/run": "#!/bin/sh\necho run\n",
    };
    const { text, spans } = await digest(files);
    expect(new Set(spans.map((span) => span.locator.file))).toEqual(new Set(Object.keys(files)));
    for (const { start, end, locator } of spans) {
      const lines = files[locator.file as keyof typeof files].split("\n");
      const named = lines.slice((locator.line_from ?? 0) - 1, locator.line_to).join("\n");
      expect(named).toBe(text.slice(start, end));
    }
    expect(spans.find((span) => span.locator.file === "bin/run")?.kind).toBe("code");
  });

  test("what does not fit, is generated, stored elsewhere or lies in dependencies is left out and told", async () => {
    const { text, omissions } = await digest({
      "README.md": "# Title\n\nWords.\n",
      "app.min.js": `var a=${"1+".repeat(5_000)}1;`,
      "model.csv": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
      "node_modules/x/index.js": "module.exports = 1;\n",
      "big.py": "x = 1\n".repeat(140_000),
      "bigger.py": "yy = 1\n".repeat(130_000),
    });
    expect(text.length).toBeLessThan(1_250_000);
    expect(text).not.toMatch(/node_modules|git-lfs|1\+1\+/);
    expect(omissions).toEqual([
      "Generated or minified files (1): app.min.js.",
      "Files of which git holds only a pointer (LFS) (1): model.csv.",
      "Files beyond the size of a digest (1): bigger.py.",
    ]);
  });

  test("a part has the paths of the whole, and its hash changes with a file's content only", async () => {
    const files = { "docs/a.md": "Some words.\n", "src/b.py": "b = 1\n" };
    const whole = await digest(files);
    const part = await digest(files, "docs");
    expect(part.spans.map((span) => span.locator.file)).toEqual(["docs/a.md"]);
    expect(part.contentSha256).not.toBe(whole.contentSha256);
    expect((await digest(files)).contentSha256).toBe(whole.contentSha256);
    expect((await digest({ ...files, "src/b.py": "b = 2\n" })).contentSha256).not.toBe(whole.contentSha256);
  });

  test("rules for ignoring above and in the folder do not empty it", async () => {
    const { spans } = await digest({
      ".gitignore": "*\n",
      ".ignore": "*\n",
      ".repomixignore": "*\n",
      "a.md": "Words.\n",
    });
    expect(spans.map((span) => span.locator.file)).toContain("a.md");
  });

  test("a path that is not there is not_found", async () => {
    await expect(digest({ "a.md": "Words.\n" }, "none")).rejects.toMatchObject({ code: "not_found" });
  });
});
