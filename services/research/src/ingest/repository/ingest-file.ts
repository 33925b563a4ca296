import { Buffer } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ProofroomError, type Provenance, type Source } from "@proofroom/contracts";
import { makeSource } from "@proofroom/evidence";
import { LineIndex } from "@proofroom/markdown";
import { fileNameOf } from "../document/code-languages.ts";
import { ingestDocumentBytes, maxDocumentBytes } from "../document/ingest-document-bytes.ts";
import { type ParsePool, parserHeapMb } from "../parsing/parse-pool.ts";
import type { FileFacts, FileFactsTask } from "./file-facts.ts";
import { tooLarge } from "./git-process.ts";
import { isLfsPointer } from "./lfs-pointer.ts";

interface RepositoryFile {
  /** A folder with the file in it, and with those that speak of the repository. */
  root: string;
  /** Of the file, relative. */
  path: string;
  /** The address as the guideline gives it. */
  ref: string;
  /** For a file that has no title of its own. */
  title: string;
  /** Where it came from. */
  facts: Pick<Provenance, "method" | "retrieved_at" | "final_url" | "commit" | "revision">;
  parsing: ParsePool;
  signal: AbortSignal;
}

/** Formats that are kept as they are, so that the lines of the text are those of the file. */
const keptAsTheyAre: ReadonlySet<string> = new Set(["text/markdown", "text/plain", "text/x-rst"]);

/**
 * Turns one file of a repository into a source, as a local file of its kind would be: a notebook cell by cell, PDF by
 * pages, Markdown and text as they are, code in a fence. Each span names the file, and its lines where it has some.
 * @throws ProofroomError as ingestDocumentBytes; no_evidence for what git does not hold, and for what seems to hold secrets
 */
export async function ingestFile(file: RepositoryFile): Promise<Source> {
  const { root, path, ref, title, facts, parsing, signal } = file;
  const location = join(root, path);
  if ((await stat(location)).size > maxDocumentBytes) throw tooLarge();
  const bytes = await readFile(location);
  if (isLfsPointer(Buffer.from(bytes.subarray(0, 64)).toString("latin1"))) throw storedElsewhere();
  const {
    v: _v,
    sha256: _sha256,
    ...read
  } = await ingestDocumentBytes({ ref: path, bytes, signal, parsing });
  const task: FileFactsTask = { root, path, content: read.text };
  const { hasSecrets, attribution } = await parsing.run<FileFacts>(
    new URL("./file-facts.ts", import.meta.url),
    task,
    { signal, timeoutMs: 120_000, maxOldSpaceMb: parserHeapMb },
  );
  if (hasSecrets) throw secret();
  return makeSource({
    ...read,
    ref,
    title: read.title === fileNameOf(path) ? title.slice(0, 200).toWellFormed() : read.title,
    spans: spansInFile(read, path),
    provenance: { ...attribution, ...read.provenance, ...facts },
  });
}

function spansInFile(
  { text, spans, provenance }: Pick<Source, "text" | "spans" | "provenance">,
  path: string,
) {
  const lines = keptAsTheyAre.has(provenance.media_type) ? new LineIndex(text) : null;
  return spans.map((span) => ({
    ...span,
    locator: {
      ...span.locator,
      file: path,
      ...(lines === null ? {} : { line_from: lines.lineAt(span.start), line_to: lines.lineAt(span.end - 1) }),
    },
  }));
}

function storedElsewhere(): ProofroomError {
  return new ProofroomError({
    code: "no_evidence",
    message: "Git holds only a pointer to the file (LFS).",
    remedy: "Give the file as a local file.",
  });
}

function secret(): ProofroomError {
  return new ProofroomError({
    code: "no_evidence",
    message: "The file seems to hold secrets, so it is not kept.",
    remedy: "Give a file without them.",
  });
}
