/** The longest stretch that is one span, in UTF-16 code units: what is longer is cut, at the best border there is. */
const maxSpanLength = 8_000;

export interface Stretch {
  start: number;
  end: number;
}

/**
 * Cuts `text.slice(start, end)` into stretches of at most `limit` code units: after the last line break, else
 * after the last white space in reach, else wherever no surrogate pair is torn. Nothing between is lost.
 */
export function cutLong(text: string, { start, end }: Stretch, limit = maxSpanLength): Stretch[] {
  const stretches: Stretch[] = [];
  let from = start;
  while (end - from > limit) {
    const to = from + borderWithin(text.slice(from, from + limit));
    stretches.push({ start: from, end: to });
    from = to;
  }
  stretches.push({ start: from, end });
  return stretches;
}

function borderWithin(window: string): number {
  const line = window.lastIndexOf("\n");
  if (line > 0) return line + 1;
  const space = Math.max(window.lastIndexOf(" "), window.lastIndexOf("\t"));
  if (space > 0) return space + 1;
  const last = window.charCodeAt(window.length - 1);
  const opensPair = last >= 0xd800 && last <= 0xdbff;
  return opensPair && window.length > 1 ? window.length - 1 : window.length;
}

/** The stretch without white space at its ends; null where nothing else is in it. */
export function trimStretch(text: string, { start, end }: Stretch): Stretch | null {
  const slice = text.slice(start, end);
  const trimmed = slice.trimStart();
  const from = end - trimmed.length;
  const to = from + trimmed.trimEnd().length;
  return to > from ? { start: from, end: to } : null;
}
