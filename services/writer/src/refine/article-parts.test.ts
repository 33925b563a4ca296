import { describe, expect, it } from "vitest";
import { outlineOf } from "../testing/test-run.ts";
import { insertPart, joinArticle, matchSections, splitArticle } from "./article-parts.ts";

const article = `# Title

Front.

## Executive Summary

Sum.

## Contents
- x

## Section 1: How it works

Text.

### Deeper

More.
## References

A section that only shares the name.

## How it works

Again.

## References

1. [A](https://a.dev)
`;

describe("splitArticle", () => {
  const parts = splitArticle(article);

  it("knows the parts, deeper headings included", () => {
    expect(parts.map(({ kind, heading }) => `${kind}:${heading}`)).toEqual([
      "front:",
      "summary:Executive Summary",
      "contents:Contents",
      "section:Section 1: How it works",
      "section:References",
      "section:How it works",
      "references:References",
    ]);
  });

  it("gives the article back to the byte", () => {
    expect(joinArticle(parts)).toBe(article);
  });

  it("matches sections by title, in order where titles recur", () => {
    const outline = outlineOf([{ title: "How it works" }, { title: "how it works?" }, { title: "Other" }]);
    const matched = matchSections(parts, outline);
    const [first, second, third] = outline.sections.map((section) => matched.get(section));
    expect([first, second, third]).toEqual([parts[3], parts[5], undefined]);
  });

  it("inserts a part between blank lines", () => {
    const text = joinArticle(
      insertPart(parts, 4, { kind: "section", heading: "New", markdown: "## New\n\nN.\n" }),
    );
    expect(text).toContain("More.\n\n## New\n\nN.\n\n## References");
  });
});
