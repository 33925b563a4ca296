import { renderPage } from "../../services/code-qa/src/publication/render-page.ts";
import { parseMarkdown } from "../../shared/markdown/src/index.ts";
import type { Measure } from "./measurement.ts";
import { alternate, elapsedMs } from "./rounds.ts";
import { sampleMarkdown } from "./sample-markdown.ts";
import { median, pairedRatio } from "./statistics.ts";

const hundredKb = 100 * 1024;
const noHash = "0".repeat(64);

/** The report on an article that cites these nine, without the verdicts: the page shows them beside the text, not in it. */
const citations = {
  v: 1 as const,
  article_sha256: noHash,
  references: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => ({
    number,
    source_id: `S${number}`,
    ref: `notes/${number}.md`,
    title: `Note ${number}`,
  })),
  citations: [],
  uncited: [],
  summary: { sentences: 0, cited: 0, supported: 0, uncertain: 0, unsupported: 0, unresolved: 0, uncited: 0 },
};

/** The page of an article of 100 KB against the parse of its Markdown, both in a process that has done it before. */
export const measurePublish: Measure = async ({ signal }) => {
  const article = sampleMarkdown(hundredKb);
  const page = {
    article,
    status: "draft" as const,
    reasons: [],
    citations,
    manifest: null,
    results: [],
    sources: null,
    colophon: {
      run_id: "run_00000000000000000000000000",
      created_at: "2026-01-01T00:00:00.000Z",
      written_by: ["nobody"],
      article_sha256: noHash,
    },
  };
  const perHundredKb = (ms: number) => (ms * hundredKb) / Buffer.byteLength(article);
  const times = await alternate(
    {
      page: () => elapsedMs(() => renderPage(page)),
      parse: () => elapsedMs(async () => parseMarkdown(article)),
    },
    { rounds: 15, warmUp: 3, signal },
  );
  return [
    {
      what: "the page of 100 KB of Markdown",
      value: perHundredKb(median(times.page)),
      unit: "ms",
      base: { what: "parse", value: perHundredKb(median(times.parse)) },
      ratio: pairedRatio(times.page, times.parse),
    },
  ];
};
