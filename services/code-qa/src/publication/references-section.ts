import type { Citation, CitationReport, Evidence, SourceIndex } from "@proofroom/contracts";
import { visibleText } from "./captured-text.ts";
import { type Html, html } from "./html.ts";
import { referenceFacts } from "./reference-facts.ts";
import { counted, locatorWords, sourceKindWords, verdictWords } from "./wording.ts";

export type PageReference = CitationReport["references"][number];

/** The references with what they were cited for: each claim, its verdict, and the words of the source behind it. */
export function referencesSection(
  references: readonly PageReference[],
  citations: CitationReport | null,
  sources: SourceIndex | null,
): Html | null {
  if (references.length === 0) return null;
  return html`<section class="references" aria-labelledby="references">
<h2 id="references">References</h2>
${citations === null && html`<p class="note">The citations of this article have not been checked against their sources.</p>`}
<ol>
${references.map((reference) => referenceItem(reference, citations?.citations ?? [], sources))}</ol>
</section>`;
}

function referenceItem(
  reference: PageReference,
  citations: readonly Citation[],
  sources: SourceIndex | null,
): Html {
  const source = sources?.sources.find(
    ({ ref, also_at = [] }) => ref === reference.ref || also_at.includes(reference.ref),
  );
  const kind = source?.kind;
  const citing = citations.filter((citation) => citation.numbers.includes(reference.number));
  const title = visibleText(reference.title);
  const target = visibleText(reference.ref);
  const web = /^https?:\/\//i.test(reference.ref);
  const head = web
    ? html`<a class="reference-title" href="${reference.ref}" rel="noopener noreferrer">${title}</a>`
    : html`<span class="reference-title">${title}</span>`;
  const where = target === title ? null : html` <span class="reference-target">${target}</span>`;
  return html`<li id="ref-${reference.number}" value="${reference.number}">
<p>${head}${kind !== undefined && html` <span class="reference-kind">${sourceKindWords[kind]}</span>`}${where}${source !== undefined && referenceFacts(source)}</p>
${citing.length > 0 && evidenceDetails(reference, citing)}</li>
`;
}

function evidenceDetails(reference: PageReference, citing: readonly Citation[]): Html {
  return html`<details>
<summary>Quoted evidence <span class="quiet">${summaryWords(citing)}</span></summary>
${citing.map((citation) => claim(reference, citation))}</details>
`;
}

function summaryWords(citing: readonly Citation[]): string {
  const by = Map.groupBy(citing, (citation) => citation.verdict);
  const tally = Object.entries(verdictWords).flatMap(([verdict, { words }]) => {
    const count = by.get(verdict as Citation["verdict"])?.length ?? 0;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return `cited ${counted(citing.length, "time")}: ${tally.join(", ")}`;
}

function claim(reference: PageReference, citation: Citation): Html {
  const { tone, words } = verdictWords[citation.verdict];
  const quotes = citation.evidence.filter((one) => one.source_id === reference.source_id);
  return html`<div class="claim">
<p><span class="badge ${tone}">${words}</span> <span class="claim-text">${visibleText(citation.sentence)}</span></p>
${quotes.map(quotation)}${
  citation.verdict !== "supported" &&
  citation.reasons.length > 0 &&
  html`<p class="note">${citation.reasons.join(" ")}</p>
`
}</div>
`;
}

function quotation(evidence: Evidence): Html {
  const where = locatorWords(evidence.locator);
  return html`<figure class="quote"><blockquote><p>${visibleText(evidence.quote)}</p></blockquote>${
    where !== "" && html`<figcaption>${visibleText(where)}</figcaption>`
  }</figure>
`;
}
