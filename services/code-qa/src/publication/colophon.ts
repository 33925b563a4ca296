import type { SnippetResult } from "@proofroom/contracts";
import { visibleText } from "./captured-text.ts";
import { type Html, html } from "./html.ts";
import type { PageInput } from "./page-input.ts";
import { counted } from "./wording.ts";

/** How the page came to be: who wrote it, what was checked, from what, when, and the hash to compare. */
export function colophonFooter(input: PageInput): Html {
  const { colophon, sources } = input;
  const entry = (term: string, ...descriptions: (Html | string)[]) =>
    html`<dt>${term}</dt>${descriptions.map((one) => html`<dd>${one}</dd>`)}\n`;
  const failures = sources?.failures ?? [];
  return html`<footer class="colophon">
<h2 id="colophon-title">Colophon</h2>
<dl>
${entry("Written by", ...colophon.written_by)}${entry("Citations", citationWords(input))}${entry("Code", codeWords(input.results))}${
  sources !== null && entry("Sources", counted(sources.sources.length, "source"))
}${
  failures.length > 0 &&
  entry(
    "Not available",
    ...failures.map(
      (failure) => html`<code>${visibleText(failure.ref)}</code>: ${visibleText(failure.message)}`,
    ),
  )
}${entry("Article sha256", html`<code>${colophon.article_sha256}</code>`)}${entry(
  "Run",
  html`<code class="colophon-run">${colophon.run_id}</code>`,
)}${entry("Date", html`<time class="colophon-date" datetime="${colophon.created_at}">${dateWords(colophon.created_at)}</time>`)}</dl>
<p class="note">Made with Proofroom. The page is one file and asks nothing of any other machine.</p>
</footer>`;
}

function citationWords({ citations, colophon }: PageInput): string {
  if (citations === null) return "not checked";
  const { cited, supported, uncertain, unsupported, unresolved, uncited } = citations.summary;
  const parts = [`${counted(cited, "cited sentence")}`, `${supported} supported by their sources`];
  if (uncertain > 0) parts.push(`${uncertain} uncertain`);
  if (unsupported > 0) parts.push(`${unsupported} not supported`);
  if (unresolved > 0) parts.push(`${unresolved} whose source was not found`);
  if (uncited > 0) parts.push(`${uncited} more without a citation`);
  const stale = citations.article_sha256 !== colophon.article_sha256;
  return `${parts.join(", ")}${stale ? "; checked on an earlier version of the article" : ""}`;
}

function codeWords(results: readonly SnippetResult[]): string {
  if (results.length === 0) return "no code was run";
  const count = (...states: SnippetResult["run"][]) =>
    results.filter((result) => states.includes(result.run)).length;
  const parts = [counted(results.length, "block"), `${count("passed")} ran`];
  const [failed, late, idle] = [count("failed"), count("timeout"), count("skipped", "not_run")];
  if (failed > 0) parts.push(`${failed} failed`);
  if (late > 0) parts.push(`${late} timed out`);
  if (idle > 0) parts.push(`${idle} not run`);
  return parts.join(", ");
}

function dateWords(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
