import { describe, expect, it } from "vitest";
import type { Corpus, CorpusSource } from "../corpus/load-corpus.ts";
import { spansOfMarkdown } from "../spans/spans-of-markdown.ts";
import { createRetriever } from "./retriever.ts";

function corpusOf(texts: string[]): Corpus {
  const sources = texts.map(
    (text, at): CorpusSource => ({
      id: `S${at + 1}`,
      ref: `${at}.md`,
      kind: "document",
      title: `Document ${at + 1}`,
      words: 1,
      text,
      spans: spansOfMarkdown(text),
    }),
  );
  return { sources, byId: new Map(sources.map((source) => [source.id, source])), failures: [] };
}

const texts = [
  `# Queues

Workers acknowledge a job after it is done. The visibility timeout hides a job from other workers.

## Backoff

Each delay is twice the one before. Jitter spreads the load.

\`\`\`python
def backoff_delay(attempt):
    return 2 ** attempt
\`\`\`

\`\`\`javascript
const unrelated = colour => colour.darken();
\`\`\`
`,
  "# Copies\n\nWorkers acknowledge a job after it is done. Workers acknowledge each job once it is done.\n",
  "# Garden\n\nTomatoes need a sheltered bed. The constructor of a cold frame uses old windows.\n",
];

describe("createRetriever", () => {
  it("finds the sentence that answers, also by the heading above it", async () => {
    const retriever = await createRetriever(corpusOf(texts));
    expect(retriever.search("visibility timeouts")[0]?.item.text).toBe(
      "The visibility timeout hides a job from other workers.",
    );
    const backoff = retriever.search("backoff").map(({ item }) => item.text);
    expect(backoff).toEqual(expect.arrayContaining(["Each delay is twice the one before."]));
  });

  it("tells how much of the query a hit bears on, and leaves out what bears on little", async () => {
    const retriever = await createRetriever(corpusOf(texts));
    const [hit] = retriever.search("visibility timeout");
    expect(hit?.coverage).toBe(1);
    expect(retriever.search("visibility of distant volcanic islands on nautical charts")).toEqual([]);
    expect(retriever.search("volcano")).toEqual([]);
    expect(retriever.search("the of and")).toEqual([]);
    expect(retriever.search("")).toEqual([]);
  });

  it("is not led astray by words that are names in the language it is written in", async () => {
    const retriever = await createRetriever(corpusOf(texts));
    expect(retriever.search("constructor").map(({ item }) => item.sourceId)).toEqual(["S3"]);
    expect(retriever.search("__proto__ toString hasOwnProperty")).toEqual([]);
  });

  it("prefers what differs from what is chosen already", async () => {
    const retriever = await createRetriever(corpusOf(texts));
    const options = { limit: 2, floor: 0.1 };
    const plain = retriever.search("workers acknowledge job", { ...options, diversity: 0 });
    const diverse = retriever.search("workers acknowledge job", { ...options, diversity: 0.7 });
    expect(plain.every(({ item }) => item.text.startsWith("Workers acknowledge"))).toBe(true);
    expect(diverse[0]?.item).toBe(plain[0]?.item);
    expect(diverse[1]?.item.text).toBe("The visibility timeout hides a job from other workers.");
  });

  it("takes no more of one source than it may", async () => {
    const retriever = await createRetriever(corpusOf(texts));
    const hits = retriever.search("workers job", { perSource: 1, floor: 0.1 });
    expect(new Set(hits.map(({ item }) => item.sourceId)).size).toBe(hits.length);
  });

  it("breaks ties by source and place", async () => {
    const same = "# Same\n\nA quorum decides. A quorum decides.\n";
    const retriever = await createRetriever(corpusOf([same.replace("Same", "B"), same.replace("Same", "B")]));
    const places = retriever
      .search("quorum", { diversity: 0 })
      .map(({ item }) => [item.sourceId, item.start]);
    expect(places).toEqual(
      places.toSorted(
        (a, b) =>
          Number(a[0]?.toString().slice(1)) - Number(b[0]?.toString().slice(1)) ||
          Number(a[1]) - Number(b[1]),
      ),
    );
    expect(places.length).toBe(4);
  });

  it("gives the same answers each time it is made", async () => {
    const answers = await Promise.all(
      [1, 2].map(async () => {
        const retriever = await createRetriever(corpusOf(texts));
        return ["workers job", "delay", "bed"].map((query) => retriever.search(query, { floor: 0 }));
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
  });

  it("finds code by its names and by the prose around it, in the languages asked for", async () => {
    const retriever = await createRetriever(corpusOf(texts));
    const [first] = retriever.findCode("delay before the next attempt");
    expect(first?.item).toMatchObject({
      sourceId: "S1",
      language: "python",
      code: expect.stringContaining("2 ** attempt"),
    });
    expect(texts[0]?.slice(first?.item.start, first?.item.end)).toBe(first?.item.code);
    const scripts = retriever.findCode("unrelated backoff delay", ["javascript"]);
    expect(scripts.map(({ item }) => item.language)).toEqual(["javascript"]);
  });

  it("finds text that is written without spaces", async () => {
    const retriever = await createRetriever(corpusOf(["# 队列\n\n消息队列保存任务。工作进程执行任务。\n"]));
    expect(retriever.search("消息队列")[0]?.item.text).toBe("消息队列保存任务。");
  });

  it("of too many passages keeps those on the subject, and some of every source", async () => {
    const filler = Array.from({ length: 50 }, (_, at) => `Sentence number ${at} is about nothing.`).join(" ");
    const corpus = corpusOf([`${filler}\n`, `${filler} Quorums decide at last.\n`, `${filler}\n`]);
    const retriever = await createRetriever(corpus, { focus: "quorum", most: 7 });
    expect(retriever.passages.length).toBe(7);
    expect(retriever.passages.map(({ text }) => text)).toContain("Quorums decide at last.");
    expect(new Set(retriever.passages.map(({ sourceId }) => sourceId)).size).toBe(3);
  });

  it("stops when it is told to", async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `Sentence ${at} ends.`).join(" ");
    const signal = AbortSignal.abort();
    await expect(createRetriever(corpusOf([many]), { signal })).rejects.toMatchObject({ name: "AbortError" });
  });
});
