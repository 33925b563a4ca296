import { type Html, html } from "./html.ts";
import type { PageInput } from "./page-input.ts";
import { counted } from "./wording.ts";

/** What the article is, first thing on the page: approved, or a draft and why. */
export function statusBanner({ status, reasons, citations, results }: PageInput): Html {
  const approved = status === "approved";
  const facts: string[] = [];
  if (citations !== null && citations.summary.cited > 0) {
    const { supported, cited, uncertain } = citations.summary;
    const open = uncertain > 0 ? `, ${uncertain} not verified` : "";
    facts.push(`${supported} of ${counted(cited, "cited sentence")} supported by their sources${open}`);
  }
  const ran = results.filter((result) => result.run === "passed").length;
  if (results.length > 0) facts.push(`${ran} of ${counted(results.length, "code block")} ran without error`);
  return html`<header class="status ${status}">
<div class="status-inner">
<p class="status-line"><strong>${approved ? "Approved" : "Draft"}</strong> ${
    approved ? "This article passed its checks." : "This article has not been approved."
  }${facts.length > 0 && html` <span class="status-facts">${sentence(facts)}</span>`}</p>
${
  reasons.length > 0 &&
  html`<details class="status-reasons"${!approved && html` open`}><summary>${approved ? "Worth knowing" : "Reasons"}</summary>
<ul>
${reasons.map((reason) => html`<li>${reason}</li>\n`)}</ul>
</details>
`
}<button type="button" class="theme" hidden>Light / dark</button>
</div>
</header>`;
}

function sentence(facts: readonly string[]): string {
  return `${facts.join("; ")}.`;
}
