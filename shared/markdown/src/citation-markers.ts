/** `[S4]`, `[S4, S2]`: a marker as writers set it. */
export const idMarker = /\[\s*S\d+(?:\s*[,;]\s*S\d+)*\s*\]/;
/** `[1]`, `[1, 3]`, `[1–3]`: a marker as readers see it. Footnotes (`[^1]`) and years are none. */
export const numberMarker = /\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*\]/;
/** A marker of either kind. */
export const citationMarker = new RegExp(`${idMarker.source}|${numberMarker.source}`);

const spacedMarkers = new RegExp(`\\s?(?:${citationMarker.source})(?!\\()`, "g");

/** A text without its citation markers and the space before each. The label of an inline link is none. */
export function withoutMarkers(text: string): string {
  return text.replace(spacedMarkers, "");
}
