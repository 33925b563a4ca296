import { expect, it } from "vitest";
import { spansOf } from "./source-spans.ts";

it("gives the spans of a transcript the seconds of the time mark before them", () => {
  const text = "# Talk\n\nHello.\n\n[00:30] First thought.\n\nStill the first.\n\n**1:02:03** Another.\n";
  const spans = spansOf(text, { kind: "video", path: "v.md" });
  expect(spans.map(({ start, end, locator }) => [text.slice(start, end), locator.seconds])).toEqual([
    ["Hello.", undefined],
    ["[00:30] First thought.", 30],
    ["Still the first.", 30],
    ["**1:02:03** Another.", 3_723],
  ]);
});

it("gives the spans of a digest the file and lines they stand in", () => {
  const rule = "=".repeat(48);
  const text = `# Repository\n\nA library.\n\n${rule}\nFILE: src/a.py\n${rule}\n# a comment\nx = 1\n\n${rule}\nFILE: README.md\n${rule}\n# Title\n\nRead me.\n`;
  const spans = spansOf(text, { kind: "repository", path: "o_r.md" });
  expect(
    spans.map(({ start, end, kind, locator }) => [
      text.slice(start, end),
      kind,
      locator.file,
      locator.line_from,
    ]),
  ).toEqual([
    ["A library.", "prose", undefined, undefined],
    ["# a comment\nx = 1", "code", "src/a.py", 1],
    ["Read me.", "prose", "README.md", 3],
  ]);
});

it("reads a code file as code", () => {
  const [span] = spansOf("# comment\nx = 1\n", { kind: "document", path: "local/src_a.py" });
  expect(span).toMatchObject({
    kind: "code",
    language: "python",
    locator: { file: "src_a.py", line_from: 1 },
  });
});
