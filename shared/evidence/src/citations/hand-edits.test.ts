import type { SourceIndex } from "@proofroom/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { edits, said, toldOtherwise } from "./fixtures/hand-edits.ts";
import { storedSource } from "./fixtures/stored-source.ts";
import { verifyArticle } from "./verify.ts";

const source = storedSource("notes.md", "Notes", `# Notes\n\n${said.join(" ")}\n`);
const { ref, title, kind, sha256 } = source;
const index: SourceIndex = {
  v: 1,
  sources: [{ id: "S1", ref, title, kind, sha256, artifact: ".nova/sources/S1.json", words: 200 }],
  failures: [],
};

/** Those of the sentences that count as supported when each is cited. */
async function supported(sentences: readonly string[]): Promise<string[]> {
  const body = sentences.map((sentence) => `${sentence} [1]\n\n`).join("");
  const article = `# T\n\n## Part\n\n${body}## References\n\n1. Notes — \`notes.md\`\n`;
  const { citations } = await verifyArticle({ article, index, corpus: new Map([["S1", source]]) });
  expect(citations).toHaveLength(sentences.length);
  return citations.filter(({ verdict }) => verdict === "supported").map(({ sentence }) => sentence);
}

/** What is not caught, with the reason. */
const uncaught: ReadonlySet<string> = new Set([
  // A passive beside an active: only the one who acts is compared, not what else the sentence has.
  "Only the leader writes to the entries, and its log are copied by followers.",
  // The sentence is there, without the clause that says which workers are meant.
  "Workers may leave its job unfinished, so the queue delivers it again after 30 seconds.",
]);
const perKind = 200;

test("what the source says is supported, also in other words", async () => {
  const sentences = [...said, ...toldOtherwise];
  expect(await supported(sentences)).toEqual(sentences);
});

test.each(Object.entries(edits))(
  "%s: no such edit of a supported sentence counts as supported",
  async (_, edit) => {
    const drawn = fc.sample(
      fc.tuple(fc.constantFrom(...said, ...toldOtherwise), fc.nat(1_000), fc.nat(1_000)),
      perKind * 3,
    );
    const edited = drawn.flatMap(([sentence, at, pick]) => {
      const other = edit(sentence, at, pick);
      return other === null || other === sentence || uncaught.has(other) ? [] : [other];
    });
    const sentences = [...new Set(edited)].slice(0, perKind);
    expect(sentences.length).toBeGreaterThan(2);
    expect(await supported(sentences)).toEqual([]);
  },
);
