/** A code block around a text that may hold fences itself. The text stands at `offset` of `markdown`. */
export function fenced(text: string, language: string | null): { markdown: string; offset: number } {
  const longest = text.match(/`{3,}/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
  const fence = "`".repeat(Math.max(3, longest + 1));
  const opening = `${fence}${language ?? ""}\n`;
  const ending = text.endsWith("\n") ? "" : "\n";
  return { markdown: `${opening}${text}${ending}${fence}\n`, offset: opening.length };
}
