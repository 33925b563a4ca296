import type { OutlineSection } from "@proofroom/contracts";
import { terms } from "@proofroom/evidence";
import { namedAtStart } from "./named-section.ts";
import { type RemovalAsked, removalAsked } from "./removal-asked.ts";

/** What a point of feedback asks for: `other` is what only a reader can tell. */
export type RequestRead =
  | ({ kind: "remove" } & RemovalAsked)
  | { kind: "shorten" }
  | { kind: "add"; topic: string }
  | { kind: "other" };

const shortening = /^\W*(?:please )?(?:shorten|trim|condense|tighten) /i;
const isTooLong = /^ (?:is|are) (?:far |much |a bit )?too (?:long|wordy)\b/i;
/** Where something may begin that is said of a section. */
const clauses = /^|[.,;:!?(–—] ?|\b(?:and|but|that|think|find|believe|since|because|so) /gi;
const asksToAdd =
  /^\W*(?:please )?(?:add|cover|explain|mention|include|describe|discuss|say more about) (?<topic>.+)$/i;
const whereItGoes = / (?:in|to|under|within) (?:the )?(?:section(?:\b|_)|["“]).*$/i;
/** How much is to be said, not of what. */
const measure = /^(?:less|fewer|more|no|nothing)\b|\b(?:less|fewer|more|briefly|shorter|rarely)(?: \w+)?$/i;

/**
 * @param present the sections of the article
 * @param named those of them that the text names
 */
export function readRequest(
  text: string,
  present: readonly OutlineSection[],
  named: readonly OutlineSection[],
): RequestRead {
  // With one blank between words no expression has to look for where a row of blanks may be parted.
  const line = text.replace(/\s+/g, " ").trim();
  const removal = removalAsked(line, present);
  if (removal !== null) return { kind: "remove", ...removal };
  const asked = asksToAdd.exec(line)?.groups?.["topic"];
  if (asked !== undefined) {
    const topic = topicOf(asked);
    return topic === null ? { kind: "other" } : { kind: "add", topic };
  }
  return asksToShorten(line, present, named) ? { kind: "shorten" } : { kind: "other" };
}

function topicOf(asked: string): string | null {
  const topic = asked
    .replace(whereItGoes, "")
    .replace(/^["“]|(?<!["”.!\s])["”.!\s]+$/g, "")
    .trim();
  return measure.test(topic) || terms(topic).length === 0 ? null : topic;
}

/** Whether it is a section that is to be shorter, and not a pause that the section speaks of. */
function asksToShorten(
  line: string,
  present: readonly OutlineSection[],
  named: readonly OutlineSection[],
): boolean {
  const isMeant = (section: OutlineSection | "this" | "article") =>
    section === "this" || (section === "article" ? named.length > 0 : named.includes(section));
  const verb = shortening.exec(line)?.[0];
  const object = verb === undefined ? null : namedAtStart(line.slice(verb.length), present);
  if (object !== null) return isMeant(object.section);
  return [...line.matchAll(clauses)].some(({ index, 0: { length } }) => {
    const subject = namedAtStart(line.slice(index + length), present);
    return subject !== null && isTooLong.test(subject.rest) && isMeant(subject.section);
  });
}
