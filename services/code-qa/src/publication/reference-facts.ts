import type { SourceIndex } from "@proofroom/contracts";
import { visibleText } from "./captured-text.ts";
import { type Html, html } from "./html.ts";

type IndexedSource = SourceIndex["sources"][number];

const mostAddresses = 5;

/** Who made a source, what one may do with it, and where else it is to be found, as it says itself. */
export function referenceFacts(source: IndexedSource): Html | null {
  const { author, publisher, published, copyright, cite_as: wanted, also_at: others = [] } = source;
  const facts = [author, publisher === author ? undefined : publisher, published].flatMap(
    (words) => words ?? [],
  );
  const parts = [
    ...facts.map(visibleText),
    licence(source) ?? "",
    visibleText(copyright ?? ""),
    wanted === undefined ? "" : `to be cited as: ${visibleText(wanted)}`,
  ].filter((part) => part !== "");
  const more = others.length > mostAddresses ? `, and ${others.length - mostAddresses} more` : "";
  const addresses = others.slice(0, mostAddresses).map(visibleText).join(", ");
  if (parts.length === 0 && addresses === "") return null;
  return html`${parts.length > 0 && html` <span class="reference-facts">${parts.map((part, at) => html`${at > 0 && " · "}${part}`)}</span>`}${
    addresses !== "" && html` <span class="reference-target">also at ${addresses}${more}</span>`
  }`;
}

function licence({ licence: name, licence_url: url }: IndexedSource): Html | null {
  if (name === undefined) return null;
  const words = visibleText(name);
  const isWeb = url !== undefined && /^https?:\/\//i.test(url);
  return isWeb
    ? html`licence <a href="${url}" rel="noopener noreferrer">${words}</a>`
    : html`licence ${words}`;
}
