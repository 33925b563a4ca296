import { extractFences } from "@proofroom/markdown";
import { expect, it } from "vitest";
import { sampleMarkdown } from "./sample-markdown.ts";

it("gives the same article each time, of the length asked for and not much more, with code in each part", () => {
  const article = sampleMarkdown(20_000);
  expect(article.length).toBeGreaterThanOrEqual(20_000);
  expect(article.length).toBeLessThan(23_000);
  expect(sampleMarkdown(20_000)).toBe(article);
  const parts = article.match(/^## /gm)?.length ?? 0;
  expect(parts).toBeGreaterThan(5);
  expect(extractFences(article)).toHaveLength(2 * parts);
});
