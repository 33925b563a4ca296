import type { Outline } from "@proofroom/contracts";
import { matchSections, splitArticle } from "./article-parts.ts";
import { sentencesOf } from "./article-text.ts";
import type { FeedbackPoint } from "./feedback.ts";
import { hasTopic } from "./has-topic.ts";
import { isWithinLength } from "./section-length.ts";

/**
 * What is left of a point in an article whose sections were written anew under it; null where nothing is, as far as that can
 * be looked up.
 */
export function leftOf(
  point: FeedbackPoint,
  before: string,
  after: string,
  outline: Outline,
): FeedbackPoint | null {
  const { request, sections } = point;
  const parts = matchSections(splitArticle(after), outline);
  const texts = sections.map((section) => ({ section, markdown: parts.get(section)?.markdown ?? "" }));
  switch (request.kind) {
    case "remove": {
      const { from } = request;
      const stood = keysIn(before, outline, from);
      const stand = keysIn(after, outline, from);
      // One that was not there was not taken out.
      const keys = request.keys.filter((key) => !stood.has(key) || stand.has(key));
      return keys.length === 0 ? null : { ...point, request: { ...request, keys } };
    }
    case "shorten":
      return texts.every(({ section, markdown }) => isWithinLength(markdown, section)) ? null : point;
    case "add":
      return texts.some(({ markdown }) => hasTopic(markdown, request.topic)) ? null : point;
    default:
      return null;
  }
}

function keysIn(markdown: string, outline: Outline, from: FeedbackPoint["sections"][number] | null) {
  const part = from === null ? undefined : matchSections(splitArticle(markdown), outline).get(from);
  return new Set(sentencesOf(part?.markdown ?? markdown).map(({ key }) => key));
}
