import { expect, it } from "vitest";
import { countOf, tokensOf } from "./request.ts";

it.each([
  [12, 12],
  [1.5, 2],
  [-3, 0],
  [1e300, 1e9],
  [Number.NaN, 0],
  ["12", 0],
  [null, 0],
  [undefined, 0],
])("a provider that counts %j tokens is taken to mean %d", (told, tokens) => {
  expect(countOf(told)).toBe(tokens);
});

it("a question is reckoned by its text, the characters beyond ASCII one by one, and by its seconds of video", () => {
  const parts = [
    { kind: "text" as const, text: "12345678日本" },
    { kind: "video" as const, url: "https://example.org/v", seconds: 3 },
  ];
  expect(tokensOf({ system: "1234", parts, maxTokens: 1 })).toBe(1 + 1 + 4 + 300);
});
