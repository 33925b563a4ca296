/** C1, what is not seen or steers the text around it, and what ends a line for some readers; JSON escapes C0 itself. */
const unseen = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** The JSON of a value on one line of a text, all of it to be seen: what it quotes may come from sources. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(unseen, escaped);
}
