import { readFileSync } from "node:fs";
import { type Outline, ProofroomError, type Source, type SourceIndex } from "@proofroom/contracts";
import { type Corpus, loadCorpus, spansOfMarkdown } from "@proofroom/evidence";
import type { Models } from "@proofroom/models";
import type { StepArtifacts, StepContext } from "@proofroom/runtime";
import { withoutModels } from "@proofroom/testing";
import { createWriterHandlers } from "../index.ts";
import { sha256 } from "../refine/article-text.ts";

export interface Document {
  ref: string;
  title: string;
  text: string;
}

/** The documents that most tests write from: three on one subject, one that has nothing to do with it. */
export function queueDocuments(): Document[] {
  return ["delivery", "retries", "idempotency", "garden"].map((name) => {
    const text = readFileSync(new URL(`fixtures/${name}.md`, import.meta.url), "utf8");
    return { ref: `notes/${name}.md`, title: text.split("\n")[0]?.replace(/^# /, "") ?? name, text };
  });
}

function sourceOf({ ref, title, text }: Document): Source {
  return {
    v: 1,
    kind: "document",
    ref,
    title,
    text,
    sha256: sha256(text),
    spans: spansOfMarkdown(text),
    provenance: {
      method: "file",
      content_sha256: sha256(text),
      bytes: Buffer.byteLength(text),
      media_type: "text/markdown",
      omissions: [],
    },
  };
}

interface StoredEvidence {
  index: SourceIndex;
  sources: Map<string, Source>;
}

function storedEvidence(documents: readonly Document[]): StoredEvidence {
  const sources = new Map<string, Source>();
  const index: SourceIndex = { v: 1, sources: [], failures: [] };
  for (const [at, document] of documents.entries()) {
    const source = sourceOf(document);
    const name = `.nova/corpus/${at}.json`;
    sources.set(name, source);
    index.sources.push({
      id: `S${at + 1}`,
      ref: source.ref,
      kind: source.kind,
      title: source.title,
      artifact: name,
      sha256: source.sha256,
      words: source.text.split(/\s+/).length,
    });
  }
  return { index, sources };
}

export async function corpusOf(documents: readonly Document[]): Promise<Corpus> {
  const { index, sources } = storedEvidence(documents);
  return loadCorpus(index, async (name) => sources.get(name) as Source);
}

export function outlineOf(
  sections: Partial<Outline["sections"][number]>[],
  title = "Reliable message queues",
): Outline {
  return {
    title,
    subtitle: "Based on 4 gathered sources",
    target_audience: "Not stated in the guideline",
    estimated_read_time_minutes: 3,
    sections: sections.map((section, at) => ({
      section_id: `section_${at + 1}`,
      title: `Section ${at + 1}`,
      key_points: [],
      target_word_count: 120,
      include_code: false,
      citations_to_reference: [],
      ...section,
    })),
  };
}

/** A run whose artifacts are in memory, and the writer's handlers bound to it. */
export function testRun(
  documents: readonly Document[],
  artifacts: Record<string, unknown> = {},
  models: Models = withoutModels,
) {
  const files = new Map<string, string>();
  const writes: string[] = [];
  const persons = new Set<string>();
  const { index, sources } = storedEvidence(documents);
  const put = (name: string, value: unknown) =>
    files.set(name, typeof value === "string" ? value : JSON.stringify(value));
  put(".nova/sources.json", index);
  for (const [name, source] of sources) put(name, source);
  for (const [name, value] of Object.entries(artifacts)) put(name, value);

  const read = (name: string) => {
    const text = files.get(name);
    if (text === undefined) throw new ProofroomError({ code: "not_found", message: `There is no ${name}.` });
    return text;
  };
  const write = async (name: string, text: string) => {
    writes.push(name);
    files.set(name, text);
    return { name, version: 1, sha256: sha256(text), size: Buffer.byteLength(text) };
  };
  const store: StepArtifacts = {
    readText: async (name) => read(name),
    readBytes: async (name) => Buffer.from(read(name)),
    readJson: async (name, schema) => schema.parse(JSON.parse(read(name))),
    tryReadText: async (name) => files.get(name) ?? null,
    tryReadJson: async (name, schema) => (files.has(name) ? schema.parse(JSON.parse(read(name))) : null),
    hasPersons: async (name) => persons.has(name),
    list: async (prefix) => [...files.keys()].filter((name) => name.startsWith(prefix)).sort(),
    writeText: write,
    writeBytes: (name, bytes) => write(name, Buffer.from(bytes).toString()),
    writeJson: (name, value) => write(name, `${JSON.stringify(value, null, 2)}\n`),
  };
  const context: StepContext = {
    runId: "run_01J00000000000000000000000",
    stepId: "test",
    generation: 1,
    artifacts: store,
    signal: new AbortController().signal,
    log: { info: () => undefined } as unknown as StepContext["log"],
    progress: () => undefined,
    fanOut: () => Promise.reject(new Error("the writer has no children")),
  };
  return { files, writes, persons, index, sources, context, put, handlers: createWriterHandlers({ models }) };
}
