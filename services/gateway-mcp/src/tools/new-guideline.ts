import { ProofroomError } from "@proofroom/contracts";
import { topicGuideline } from "@proofroom/runtime/records";

/**
 * Writes the guideline of a run that was asked for by topic and sources alone.
 * @throws ProofroomError invalid_input without a topic or without any source
 */
export function guidelineOfTopic(topic: string, urls: readonly string[], paths: readonly string[]): string {
  const isEmpty = topic.trim() === "";
  if (isEmpty || urls.length + paths.length === 0) {
    throw new ProofroomError({
      code: "invalid_input",
      message: isEmpty ? "The topic is empty." : "There is no source to write from.",
      remedy: "Give guideline, or topic with source_urls or source_files.",
    });
  }
  return topicGuideline(topic, [...urls.map((url) => ({ url })), ...paths.map((path) => ({ path }))]);
}
