import { stripVTControlCharacters } from "node:util";

/** Lines and UTF-16 units of an output that a page shows. */
const maxLines = 200;
const maxLength = 20_000;

/** Characters that reorder or hide text: what is shown must be what is there. */
const deceptive = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Prepares text that a program wrote (or a source holds) for showing: terminal sequences and control characters are
 * removed, invisible and direction-changing characters are named, as `‹U+202E›`.
 */
export function visibleText(text: string): string {
  return (
    stripVTControlCharacters(text.replace(/\r\n?/g, "\n"))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be removed.
      .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, "")
      .replace(deceptive, (character) => {
        const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
        return `‹U+${code}›`;
      })
  );
}

/** Whether code holds characters that make it read differently from what it does. */
export function hasDeceptiveCharacters(code: string): boolean {
  return code.search(deceptive) !== -1;
}

/** An output as the page shows it: its beginning, and how many lines it has in all. */
export function shownOutput(output: string): { text: string; lines: number; shortened: boolean } {
  const whole = visibleText(output.slice(0, maxLength * 4)).replace(/\n+$/, "");
  const lines = whole === "" ? [] : whole.split("\n");
  let text = lines.slice(0, maxLines).join("\n");
  if (text.length > maxLength) text = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
  return { text, lines: lines.length, shortened: text !== whole || output.length > maxLength * 4 };
}
