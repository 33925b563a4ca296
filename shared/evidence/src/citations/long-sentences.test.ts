import { expect, test } from "vitest";
import { storedSource } from "./fixtures/stored-source.ts";
import { verifyArticle } from "./verify.ts";

const count = 100_000;
/** Milliseconds: many times what a linear reading takes, a fraction of what a quadratic one would. */
const timeout = 30_000;

async function verdictOf(sentence: string, text: string) {
  const source = storedSource("notes/long.md", "Long", text);
  const { ref, title, kind, sha256 } = source;
  const { citations } = await verifyArticle({
    article: `# T\n\n## Part\n\n${sentence} [1]\n\n## References\n\n1. Long — \`notes/long.md\`\n`,
    index: {
      v: 1,
      sources: [{ id: "S1", ref, title, kind, sha256, artifact: ".nova/sources/S1.json", words: 50 }],
      failures: [],
    },
    corpus: new Map([["S1", source]]),
  });
  return citations.map(({ verdict, reasons }) => ({ verdict, reasons }));
}

function sentenceOf(words: readonly string[]): string {
  return `The ${Array.from({ length: count }, (_, at) => words[at % words.length]).join(" ")}.`;
}

const kinds: readonly [string, string][] = [
  ["one word", sentenceOf(["worker"])],
  ["operators", sentenceOf(["only", "must", "not", "but", "fail"])],
  ["names and figures", sentenceOf(["Berlin", "12", "seconds", "three", "calls"])],
];

test.each(kinds)("a sentence of %s without end is uncertain, at once", { timeout }, async (_, sentence) => {
  const reasons = ["What is cited has more than 400 words, too many to be compared."];
  expect(await verdictOf(sentence, "The worker calls Berlin after 12 seconds.")).toEqual([
    { verdict: "uncertain", reasons },
  ]);
});

test.each(kinds)("a sentence is compared with a source of %s without end", { timeout }, async (_, text) => {
  const [citation] = await verdictOf(
    "The worker only calls Berlin after 12 seconds, but Anna Berg must not.",
    text,
  );
  expect(citation?.verdict).not.toBe("supported");
});

test("a block of code may have more words than a sentence", async () => {
  const code = Array.from({ length: 300 }, (_, at) => `total_${at} = left + right`).join("\n");
  const sentence = `From Long [1]:\n\n\`\`\`text\n${code}\n\`\`\`\n\nThe sum is over.`;
  expect(await verdictOf(sentence, code)).toContainEqual({ verdict: "supported", reasons: [] });
});
