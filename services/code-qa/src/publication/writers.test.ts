import { artifact, ProofroomError, sectionArtifact } from "@proofroom/contracts";
import type { StepContext } from "@proofroom/runtime";
import { compositionNotes } from "@proofroom/runtime/records";
import { expect, test } from "vitest";
import { createExportPublicationBundle } from "./export-publication-bundle.ts";

const section = sectionArtifact("section_1");
const notes = [compositionNotes.extractive, compositionNotes.modelled, compositionNotes.extractiveSection];
const article = `# T\n\n${notes.map(({ plain }) => `> [!NOTE]\n> ${plain}\n\n`).join("")}## One\n\nHerons wait. [1]\n`;

async function published(persons: readonly string[]): Promise<string> {
  const files = new Map([
    [artifact.article, article],
    [section, "## One\n\nHerons wait. [S1]\n"],
  ] as [string, string][]);
  const artifacts = {
    readText: async (name: string) => {
      const text = files.get(name);
      if (text === undefined) throw new ProofroomError({ code: "not_found", message: name });
      return text;
    },
    tryReadJson: async () => null,
    hasPersons: async (name: string) => persons.includes(name),
    list: async (prefix: string) => [...files.keys()].filter((name) => name.startsWith(prefix)),
    writeText: async (name: string, text: string) => {
      files.set(name, text);
      return { name, version: 1, sha256: "0".repeat(64), size: text.length };
    },
  };
  const context = { artifacts, runId: "run_01J00000000000000000000000" } as unknown as StepContext;
  await createExportPublicationBundle()({ allow_draft: true }, context);
  return files.get(artifact.page) ?? "";
}

test.each([artifact.article, section])(
  "the page says that a person has edited %s, and claims no word-for-word text",
  async (name) => {
    const page = await published([name]);
    expect(page).toMatch(/<dt>Written by<\/dt><dd>[^<]*edited by a person since<\/dd>/);
    expect(page).not.toMatch(/word for word|looked up in its source|no model wrote this</);
    for (const { edited } of notes) expect(page).toContain(edited);
  },
);

test("the notes of a text that nobody edited stand as they are", async () => {
  const page = await published([]);
  for (const { plain, edited } of notes) {
    expect(page).toContain(plain);
    expect(page).not.toContain(edited);
  }
});
