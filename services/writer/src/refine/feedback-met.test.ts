import { expect, it } from "vitest";
import { outlineOf } from "../testing/test-run.ts";
import { readFeedback } from "./feedback.ts";
import { leftOf } from "./feedback-met.ts";

const outline = outlineOf([
  { title: "Intro", target_word_count: 20 },
  { title: "Cache", target_word_count: 20 },
]);
const first = "A cache keeps what was asked for before.";
const second = "A queue keeps each job until it is done.";
const article = (intro: string, cache: string) => `# Title\n\n## Intro\n\n${intro}\n\n## Cache\n\n${cache}\n`;
const before = article(`${first} [S1]`, `${first} [S1] ${second} [S2]`);

it.each([
  [`Remove “${first}”`, article(second, second), "nothing"],
  [`Remove “${first}”`, article(second, first), "a point"],
  [`Remove “${first}” from Cache`, article(first, second), "nothing"],
  [`Remove “${first}” from Cache`, article(second, first), "a point"],
  ["Remove “Nobody has ever written this.”", article(second, second), "a point"],
  ["Shorten Cache.", article(first, second), "nothing"],
  ["Shorten Cache.", article(first, `${first} ${second} ${first}`), "a point"],
  ["Cover penguins in Cache.", article(first, "A penguin keeps no cache."), "nothing"],
  ["Cover penguins in Cache.", article("A penguin keeps no cache.", second), "a point"],
  ["Be funnier in Cache.", article(first, second), "nothing"],
])("of %j in an article written anew (%j) %s is left", (text, after, left) => {
  const [point] = readFeedback([text], before, outline);
  if (point === undefined) throw new Error("there is no point");
  expect(leftOf(point, before, after, outline) === null ? "nothing" : "a point").toBe(left);
});

it("leaves of a removal only what still stands", () => {
  const [point] = readFeedback([`Remove “${first}” and “${second}”`], before, outline);
  if (point === undefined) throw new Error("there is no point");
  const left = leftOf(point, before, article(first, "It is empty."), outline);
  expect(left?.request).toMatchObject({ keys: ["a cache keeps what was asked for before"] });
});
