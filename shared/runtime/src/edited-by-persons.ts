import { artifact, sectionFolder } from "@proofroom/contracts";
import type { StepArtifacts } from "./handler.ts";

/** Whether a person has written in the article or in a section that it is made of. */
export async function editedByPersons(artifacts: StepArtifacts): Promise<boolean> {
  for (const name of [artifact.article, ...(await artifacts.list(sectionFolder))]) {
    if (await artifacts.hasPersons(name)) return true;
  }
  return false;
}

/** What an article says on its face of how it was made, and the same once a person has written in it. */
export const compositionNotes = {
  extractive: {
    plain:
      "This article is extractive: its sentences are taken word for word from the sources they cite. No model wrote it.",
    edited: "This article was assembled from sentences of the sources it cites, and a person has edited it.",
  },
  modelled: {
    plain:
      "This article was written by a language model from the sources it cites, and every cited sentence was looked up in its source.",
    edited:
      "This article was written by a language model from the sources it cites, and a person has edited it.",
  },
  extractiveSection: {
    plain: "No model wrote this section: its sentences are taken word for word from the sources they cite.",
    edited:
      "No model wrote this section: it was assembled from sentences of the sources it cites, before a person edited the article.",
  },
} as const;

/** The article with notes that are true of a text that a person has edited; its lines stay where they are. */
export function withNotesOfEdited(markdown: string): string {
  return Object.values(compositionNotes).reduce(
    (text, { plain, edited }) => text.replaceAll(`> ${plain}`, `> ${edited}`),
    markdown,
  );
}
