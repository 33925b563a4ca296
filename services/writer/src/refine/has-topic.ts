import { terms } from "@proofroom/evidence";

/** Whether all words of a topic stand in the body of a section; what its heading says is said of nothing yet. */
export function hasTopic(section: string, topic: string): boolean {
  const said = new Set(terms(section.replace(/^#.*$/gm, "")));
  return new Set(terms(topic)).isSubsetOf(said);
}
