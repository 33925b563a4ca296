import { type RenderedHeading, renderMarkdown } from "@proofroom/markdown";
import { codeFigure } from "./code-figure.ts";
import { colophonFooter } from "./colophon.ts";
import { Html, html } from "./html.ts";
import type { PageInput } from "./page-input.ts";
import { contentSecurityPolicy, pageScript } from "./page-script.ts";
import { pageStyle } from "./page-style.ts";
import { type PageReference, referencesSection } from "./references-section.ts";
import { statusBanner } from "./status-banner.ts";

/** Ids of the page itself; headings of the article get others. */
const pageIds: ReadonlySet<string> = new Set(["references", "page-main", "colophon-title"]);

/**
 * Renders an article as one HTML file that opens anywhere and asks nothing of any other machine. The article's own
 * table of contents and reference list give way to the page's. Equal input gives equal bytes; the run's id and date
 * stand only in `.colophon-run` and `.colophon-date`.
 */
export async function renderPage(input: PageInput): Promise<string> {
  const references = await listedReferences(input);
  const { html: body, headings } = await renderMarkdown(input.article, {
    citations: new Set(references.map((reference) => reference.number)),
    aroundCode: (block) => codeFigure(block, input.manifest, input.results),
    omitSection: ({ text }) => isContents(text) || (references.length > 0 && isReferences(text)),
    reservedIds: pageIds,
  });
  const main = headings.find((heading) => heading.depth === 1);
  const title = main?.text || headings[0]?.text || "Untitled article";
  const listed = headings.filter((heading) => heading.depth === 2 || heading.depth === 3);
  if (references.length > 0) listed.push({ depth: 2, text: "References", id: "references" });
  const contents = listed.length > 1 ? contentsNavigation(listed) : null;

  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Proofroom">
<title>${input.status === "draft" ? "Draft: " : ""}${title}</title>
<style>${new Html(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#page-main">Skip to the article</a>
${statusBanner(input)}
<div class="layout${contents === null && " plain"}">
${contents}
<main id="page-main">
<article>
${main === undefined && html`<h1>${title}</h1>\n`}${new Html(body)}
</article>
${referencesSection(references, input.citations, input.sources)}
</main>
${colophonFooter(input)}
</div>
<script>${new Html(pageScript)}</script>
</body>
</html>
`;
  return page.value;
}

async function listedReferences({
  article,
  citations,
  sources,
}: PageInput): Promise<readonly PageReference[]> {
  if (citations !== null) return citations.references;
  const { parseReferences } = await import("@proofroom/evidence");
  return parseReferences(article, sources ?? { v: 1, sources: [], failures: [] });
}

function isContents(text: string): boolean {
  return /^(?:table of )?contents$/i.test(text.trim());
}

function isReferences(text: string): boolean {
  return /^references:?$/i.test(text.trim());
}

function contentsNavigation(headings: readonly RenderedHeading[]): Html {
  const items: { heading: RenderedHeading; below: RenderedHeading[] }[] = [];
  for (const heading of headings) {
    const last = items.at(-1);
    if (heading.depth > 2 && last !== undefined) last.below.push(heading);
    else items.push({ heading, below: [] });
  }
  const link = ({ id, text }: RenderedHeading) =>
    html`<a href="#${encodeURIComponent(id)}">${text.replace(/\s*\[\d+\]/g, "")}</a>`;
  return html`<nav class="contents" aria-label="Contents">
<details open><summary>Contents</summary>
<ol>
${items.map(
  ({ heading, below }) =>
    html`<li>${link(heading)}${
      below.length > 0 && html`\n<ol>\n${below.map((one) => html`<li>${link(one)}</li>\n`)}</ol>\n`
    }</li>\n`,
)}</ol>
</details>
</nav>`;
}
