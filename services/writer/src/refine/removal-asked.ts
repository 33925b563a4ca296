import type { OutlineSection } from "@proofroom/contracts";
import { splitSentences } from "@proofroom/evidence";
import { keyOf } from "./article-text.ts";
import { namedAtStart } from "./named-section.ts";

/** What a point of feedback asks to be taken out. */
export interface RemovalAsked {
  /** The keys of the sentences between the quotation marks. */
  keys: readonly string[];
  /** Where it says from which section; null where it means all of the article. */
  from: OutlineSection | null;
}

const opening = `(?=["“„«])`;
const said = `(?:(?:the|this|that|these|both) )?(?:(?:sentence|claim|statement)s? ?)?:? ?`;
// It stands at the beginning, so that no "do not" stands before it.
const verb = new RegExp(`^\\W*(?:please )?(?:remove|delete|drop|strike|cut|take out) ${said}${opening}`, "i");
const another = new RegExp(`^ ?[,;]? ?(?:(?:and|as well as) )?(?:also )?${said}${opening}`, "i");
const closing: Readonly<Record<string, RegExp>> = { '"': /"/, "“": /”/, "„": /[“”]/, "«": /»/ };

const nothing = /^[\s.!]*$/;
const place = /^ (?:from|in|under|within) /i;
const reason =
  /^ ?[,;:.(–—-]? ?(?:(?:since|because)\b|as (?=["“„«])|(?:as )?(?:it|they|this|that|these|both|no source|the sources?)\b(?! should\b| must\b))/i;
const keeping = /^ ?[,;.]? ?(?:(?:and|but) )?(?:please )?(?:keep|leave|retain|preserve)\b/i;

/** What more is asked, or under which conditions. */
const besides = /\b(?:unless|except|instead|replace|rephrase|rewrite|add|move|put|insert|merge)\b/i;

/**
 * Reads "Remove “…” and “…” from the section …", with a reason or what is to stay behind it. Null where it asks for something
 * else, or for more or under conditions: then only a reader can tell what is to go.
 * @param text with no more than one blank between words
 */
export function removalAsked(text: string, sections: readonly OutlineSection[]): RemovalAsked | null {
  let rest = text;
  const keys: string[] = [];
  for (let before = verb.exec(rest); before !== null; before = another.exec(rest)) {
    const at = before[0].length;
    const quote = rest.slice(at + 1);
    const end = closing[rest[at] ?? ""]?.exec(quote)?.index;
    if (end === undefined) return null;
    keys.push(...splitSentences(quote.slice(0, end)).map((sentence) => keyOf(sentence.text)));
    rest = quote.slice(end + 1);
  }
  if (keys.length === 0) return null;
  let from: OutlineSection | null = null;
  const inFront = place.exec(rest)?.[0];
  if (inFront !== undefined) {
    const named = namedAtStart(rest.slice(inFront.length), sections);
    if (named === null || named.section === "this") return null;
    from = named.section === "article" ? null : named.section;
    rest = named.rest;
  }
  const isPlain = nothing.test(rest) || ((reason.test(rest) || keeping.test(rest)) && !besides.test(rest));
  return isPlain ? { keys: [...new Set(keys)], from } : null;
}
