/** What stands around the pieces of a question. */
const frames = "evidence|source|section|guideline|article|results|sources|points|asked|page|code|error";
const frame = new RegExp(`<(?=\\s*/?\\s*(?:${frames})\\b)`, "gi");

/**
 * Controls, directions, and characters without a width or a shape: nobody who reads the text would see what they say. Joiners are
 * left where scripts need them.
 */
const unseen =
  /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|(?![\n\t])\p{Cc}|(?<=[\p{sc=Latin}\p{N}\p{P}\s])[\u200c\u200d]/gu;

const broken = "<\u200b";

/** A text as a reader sees it. Line ends must be `\n`. */
export function visible(text: string): string {
  return text.replace(unseen, "");
}

/** Foreign text for a question, `<evidence>` and the like around it: it can end no frame, and hides nothing. */
export function disarmed(text: string): string {
  return visible(text.replace(/\r\n?/g, "\n")).replace(frame, broken);
}

/** What a model gave back of a text that was disarmed, as it was before. */
export function rearmed(text: string): string {
  return text.replaceAll(broken, "<");
}
