/** What a cleaning model says before the text that it was asked for. */
const chatter = [
  /^(?:sure|certainly|of course|okay|ok|absolutely|alright)[,.!:]*$/i,
  /^(?:(?:sure|certainly|of course|okay|ok|absolutely|alright)[,.!:]* )?(?:here(?:['’]s| is| are)|below is|the following is)\b.{0,200}\b(?:cleaned|markdown|content|extracted|requested|relevant|guidelines?|version|text)\b.{0,200}:$/i,
  /^(?:(?:sure|certainly|of course|okay|ok|absolutely|alright)[,.!:]* )?(?:here(?:['’]s| is)|below is|i(?:['’]ve| have)|i) (?:the )?(?:cleaned|extracted)\b.{0,300}[:.!]$/i,
];
/** What it says after it. */
const farewell =
  /^(?:let me know\b|i(?:['’]ve| have) (?:cleaned|removed|kept|retained|focused|omitted|preserved)\b|i hope this\b|this cleaned\b|(?:\*\*)?note:?(?:\*\*)? (?:i(?:['’]ve| have)?|the) (?:cleaned|removed|omitted)\b)/i;

/** Whether a line is a cleaning model's own word, not the page's. */
export function isChatter(line: string): boolean {
  const words = line.replace(/^[#>*_\s]+|[*_\s]+$/g, "");
  return chatter.some((pattern) => pattern.test(words));
}

/** The text without what a cleaning model said around it, and whether there was anything. */
export function withoutChatter(text: string): { text: string; removed: boolean } {
  const lines = text.trimEnd().split("\n");
  let from = lines.findIndex((line) => line.trim() !== "");
  if (from === -1) return { text: "", removed: false };
  const first = from;
  if (isChatter(lines[from] ?? "")) from += 1;
  let to = lines.length;
  if (from > first && farewell.test(lines[to - 1]?.trim() ?? "")) to -= 1;
  const kept = lines.slice(from, to).join("\n");
  return { text: unwrapped(kept), removed: from > first };
}

/** Models like to hand a whole page over inside of one fence. */
function unwrapped(text: string): string {
  const inner = /^\s*(`{3,})(?:markdown|md)[ \t]*\n([\s\S]*?)\n\1\s*$/i.exec(text);
  return inner?.[2] ?? text.replace(/^(?:[^\S\n]*\n)+/, "");
}
