import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { onlyFence, withoutFence, withoutThoughts } from "./unwrap.ts";

const words = fc.stringMatching(/^[a-z ]{0,20}$/);
const thought = fc.constantFrom(
  "<think>no</think>",
  "<Thinking>no <think> no</THINKING>",
  "<think>no</thinking></think>",
);

describe("an answer", () => {
  it("keeps code in fences, and loses what was thought aloud", () => {
    const text = "Use it so:\n\n```js\nf();\n```\n\nThat is all.";
    expect(withoutThoughts(`<think>hm</think>${text}`)).toBe(text);
  });

  it("keeps all that was said between thoughts, and nothing else", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(thought, words)), (pairs) => {
        const said = pairs.map(([, text]) => text).join("");
        expect(withoutThoughts(pairs.flat().join(""))).toBe(said.trim());
        expect(withoutThoughts(`${pairs.flat().join("")}<think>${said}`)).toBe(said.trim());
        expect(withoutThoughts(`never opened</think>${pairs.flat().join("")}`)).toBe(said.trim());
      }),
    );
  });

  it.each([
    ["<think>a <thinking>b</thinking>", ""],
    ["<thinking>a</think>b", "b"],
    ["a<think>b</think>c</thinking>d", "d"],
    ["a<think", "a<think"],
  ])("of %j is %j without its thoughts", (text, said) => {
    expect(withoutThoughts(text)).toBe(said);
  });

  it("is found again whatever stands around its fence", () => {
    fc.assert(
      fc.property(fc.jsonValue(), words, (value, around) => {
        const text = JSON.stringify(value, null, 2).replaceAll("`", "'");
        expect(withoutFence(`${around}\n\`\`\`json\n${text}\n\`\`\`\n${around}`)).toBe(text);
        expect(withoutFence(text)).toBe(text);
      }),
    );
  });

  it.each(["```\n{}", "```\n```", "a `b` c", "{ ```\n1\n``` }", "```\na\n````", "```\na ```"])(
    "of %j is no fenced block",
    (text) => {
      expect(withoutFence(text)).toBe(text);
    },
  );

  it.each([
    ["Here:\n```js\na\n\nb\n```\nDone.", "a\n\nb"],
    ["~~~~\n```\na\n```\n~~~~", "```\na\n```"],
    ["```\na\n````", "a"],
    ["```\r\na\r\n```\r\n", "a\r"],
    ["```\na\n```\n```\nb\n```", null],
    ["```\na", null],
    ["a", null],
  ])("of %j holds the one block %j", (text, code) => {
    expect(onlyFence(text)).toBe(code);
  });

  const long = 200_000;
  it.each([
    "<think>",
    "</think>",
    "<think></thinking>",
    "```",
    "```\n",
    "~~~ a\n",
    "\n",
    "` ",
    "```\n \n",
    "   ```\n",
  ])("that repeats %j to the end is read in no time that grows with its square", (piece) => {
    const text = piece.repeat(long / piece.length);
    for (const hostile of [text, `\`\`\`\n${text}`, `\`\`\`\n${text}\`\`\``, `${text}x`]) {
      withoutThoughts(hostile);
      withoutFence(hostile);
      onlyFence(hostile);
    }
  });
});
