import { describe, expect, it } from "vitest";
import { removeCode } from "./remove-code.ts";

const article = "Before.\n\nFrom A [1]:\n\n```python\na = 1\n```\n\nBetween.\n\n```js\nb\n```\n\nAfter.\n";

describe("removeCode", () => {
  it("takes a block with the line that introduces it", () => {
    const { markdown, removed } = removeCode(article, new Set(["snippet_1"]));
    expect(markdown).toBe("Before.\n\nBetween.\n\n```js\nb\n```\n\nAfter.\n");
    expect([...removed]).toEqual(["snippet_1"]);
  });

  it("leaves a sentence above a block", () => {
    expect(removeCode(article, new Set(["snippet_2"])).markdown).toBe(
      "Before.\n\nFrom A [1]:\n\n```python\na = 1\n```\n\nBetween.\n\nAfter.\n",
    );
  });

  it("leaves the article as it is where there is no such block", () => {
    expect(removeCode(article, new Set(["snippet_9", ""])).markdown).toBe(article);
  });
});
