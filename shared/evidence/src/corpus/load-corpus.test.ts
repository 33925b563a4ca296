import type { Source, SourceIndex, Span } from "@proofroom/contracts";
import { describe, expect, it } from "vitest";
import { loadCorpus } from "./load-corpus.ts";

const hash = "0".repeat(64);

function source(text: string, spans: Span[] = []): Source {
  const provenance = {
    method: "file" as const,
    content_sha256: hash,
    bytes: 1,
    media_type: "text/plain",
    omissions: [],
  };
  return { v: 1, kind: "document", ref: text, title: text, text, sha256: hash, spans, provenance };
}

function indexOf(ids: string[]): SourceIndex {
  const sources = ids.map((id) => ({
    id,
    ref: `${id}.md`,
    kind: "document" as const,
    title: id,
    artifact: id,
    sha256: hash,
    words: 1,
  }));
  return { v: 1, sources, failures: [] };
}

describe("loadCorpus", () => {
  it("orders sources by the numbers of their ids, whichever is read first", async () => {
    const waiting: (() => void)[] = [];
    const loading = loadCorpus(indexOf(["S10", "S2", "S1"]), async (artifact) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return source(`text of ${artifact}`);
    });
    for (const resolve of waiting.toReversed()) resolve();
    const corpus = await loading;
    expect(corpus.sources.map(({ id, text }) => [id, text])).toEqual([
      ["S1", "text of S1"],
      ["S2", "text of S2"],
      ["S10", "text of S10"],
    ]);
    expect(corpus.byId.get("S2")).toBe(corpus.sources[1]);
  });

  it("reads no more sources at a time than it may", async () => {
    let open = 0;
    let most = 0;
    const ids = Array.from({ length: 30 }, (_, at) => `S${at + 1}`);
    await loadCorpus(
      indexOf(ids),
      async () => {
        most = Math.max(most, ++open);
        await Promise.resolve();
        open -= 1;
        return source("x");
      },
      { concurrency: 3 },
    );
    expect(most).toBe(3);
  });

  it.each<[string, Span[]]>([
    ["lie outside the text", [{ start: 0, end: 9, kind: "prose", locator: {} }]],
    [
      "overlap",
      [
        { start: 0, end: 3, kind: "prose", locator: {} },
        { start: 2, end: 4, kind: "prose", locator: {} },
      ],
    ],
  ])("refuses spans that %s", async (_name, spans) => {
    await expect(loadCorpus(indexOf(["S1"]), async () => source("text", spans))).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("S1"),
    });
  });

  it("stops when it is told to", async () => {
    const abort = new AbortController();
    const loading = loadCorpus(
      indexOf(["S1", "S2"]),
      async () => {
        abort.abort();
        return source("x");
      },
      { signal: abort.signal, concurrency: 1 },
    );
    await expect(loading).rejects.toMatchObject({ name: "AbortError" });
  });
});
