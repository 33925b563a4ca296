import { describe, expect, it } from "vitest";
import { givenSources } from "./source-files.ts";

const text = "x";

describe("source files", () => {
  it("in a given folder are one source, and the others are each their own", () => {
    const { files, entries } = givenSources({
      source_files: [
        { path: "notes/b.md", text },
        { path: "kit/x.py", text },
        { path: "notes/a.md", text },
        { path: "a.pdf", base64: "AP8=" },
      ],
      source_folders: [{ path: "notes/" }, { path: "kit/", commit: "0".repeat(40) }],
    });
    expect(entries).toEqual([
      { path: "notes/", kind: "folder", files: ["notes/a.md", "notes/b.md"] },
      { path: "kit/", kind: "repository", files: ["kit/x.py"], commit: "0".repeat(40) },
      { path: "a.pdf", kind: "file", files: ["a.pdf"] },
    ]);
    expect(files[3]?.bytes).toEqual(Buffer.of(0, 255));
  });

  it.each([
    ["a path that leads out", { source_files: [{ path: "../a", text }] }],
    [
      "the same path twice",
      {
        source_files: [
          { path: "a", text },
          { path: "a", text },
        ],
      },
    ],
    ["neither text nor bytes", { source_files: [{ path: "a" }] }],
    ["bytes that are none", { source_files: [{ path: "a", base64: "no!" }] }],
    ["both text and bytes", { source_files: [{ path: "a", text, base64: "AA==" }] }],
    ["a folder without files", { source_files: [{ path: "ab/a", text }], source_folders: [{ path: "a/" }] }],
    ["a folder that leads out", { source_files: [{ path: "a", text }], source_folders: [{ path: "../" }] }],
  ])("are refused with %s", (_what, given) => {
    expect(() => givenSources(given)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });
});
