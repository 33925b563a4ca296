import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withUploads } from "./upload-entries.ts";

describe("the entries of uploads", () => {
  it("name each file and every folder above it, so that a guideline may name either", () => {
    expect(withUploads([], ["docs/b.md", "docs/api/é.md", "notes.md", "docs/a.md"])).toEqual([
      { path: "docs/", kind: "folder", files: ["docs/a.md", "docs/api/é.md", "docs/b.md"] },
      { path: "docs/a.md", kind: "file", files: ["docs/a.md"] },
      { path: "docs/api/", kind: "folder", files: ["docs/api/é.md"] },
      { path: "docs/api/é.md", kind: "file", files: ["docs/api/é.md"] },
      { path: "docs/b.md", kind: "file", files: ["docs/b.md"] },
      { path: "notes.md", kind: "file", files: ["notes.md"] },
    ]);
  });

  it("keep what came with the run: a repository as it was cloned, a folder with what it had", () => {
    const repository = { path: "lib/", kind: "repository" as const, files: ["lib/x.py"], commit: "c" };
    const folder = { path: "docs/", kind: "folder" as const, files: ["docs/z.md"], skipped: 1 };
    const error = { code: "not_found", message: "There is no such file or folder." };
    const lost = { path: "a.md", kind: "file" as const, files: [], error };
    const entries = withUploads([repository, folder, lost], ["docs/a.md", "lib/x.py", "lib/y.py", "a.md"]);
    expect(entries).toContainEqual(repository);
    expect(entries).toContainEqual({ ...folder, files: ["docs/a.md", "docs/z.md"] });
    expect(entries).toContainEqual({ path: "a.md", kind: "file", files: ["a.md"] });
    expect(entries).toContainEqual({ path: "lib/y.py", kind: "file", files: ["lib/y.py"] });
  });

  it("come to the same in whatever order and portions the files come", () => {
    const part = fc.constantFrom("a", "b", "é", "𝒳");
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join("/")}.md`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 12 }), fc.integer({ min: 0, max: 12 }), (paths, at) => {
        const parts = withUploads(withUploads([], paths.slice(0, at)), paths);
        expect(parts).toEqual(withUploads([], paths.toReversed()));
        for (const entry of parts) {
          const below = paths.filter((one) =>
            entry.kind === "file" ? one === entry.path : one.startsWith(entry.path),
          );
          expect(new Set(entry.files)).toEqual(new Set(below));
        }
      }),
    );
  });
});
