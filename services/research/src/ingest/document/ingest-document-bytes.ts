import { createHash } from "node:crypto";
import { ProofroomError, type Provenance, type Source } from "@proofroom/contracts";
import { makeSource } from "@proofroom/evidence";
import { runInWorker } from "../parse-worker.ts";
import { fileNameOf } from "./code-languages.ts";
import type { DocumentResult, DocumentTask, ReadDocument } from "./parse-document.ts";

/** The largest file that is read, in bytes. */
export const maxDocumentBytes = 32 * 1024 * 1024;

/** The address of a saved page is not known; with this one taken out again, its relative links stay as they are. */
const standIn = "https://saved-page.invalid/";

interface DocumentFile {
  /** The path as the guideline gives it. */
  ref: string;
  bytes: Uint8Array;
  signal: AbortSignal;
  /** ISO 8601; left out of the provenance where not given. */
  retrievedAt?: string;
}

/**
 * Turns one file into a source: Markdown, plain text, code, notebooks, PDF, Word documents, saved web pages. It is
 * read in a process of its own that ends with the signal, after three minutes, or beyond 1 GB of memory.
 * @throws ProofroomError invalid_input (binary, empty, encrypted, broken, no text layer), too_large (over 32 MB,
 *   zip bomb), timeout, no_evidence (a saved page without text); or the signal's reason
 */
export async function ingestDocumentBytes({
  ref,
  bytes,
  signal,
  retrievedAt,
}: DocumentFile): Promise<Source> {
  if (bytes.length > maxDocumentBytes) throw tooLarge();
  const result = await inWorker<DocumentResult>({ path: ref, bytes }, signal);
  const { document, mediaType, facts } =
    "html" in result ? await readPage(result.html, signal) : asRead(result);
  return makeSource({
    kind: "document",
    ref,
    title: titleLine(document.title) ?? fileNameOf(ref),
    text: document.text,
    spans: document.spans,
    provenance: {
      method: "file",
      content_sha256: createHash("sha256").update(bytes).digest("hex"),
      bytes: bytes.length,
      media_type: mediaType,
      ...(retrievedAt === undefined ? {} : { retrieved_at: retrievedAt }),
      ...facts,
      omissions: document.omissions,
    },
  });
}

interface Read extends ReadDocument {
  facts: Pick<Provenance, "author" | "published" | "licence">;
}

function asRead(result: ReadDocument): Read {
  const { author } = result.document;
  return { ...result, facts: author === undefined ? {} : { author } };
}

async function readPage(html: string, signal: AbortSignal): Promise<Read> {
  const { extractReadable } = await import("../web/extract-readable.ts");
  const page = await extractReadable({ html, url: standIn, signal });
  const markdown = page.markdown.replaceAll(standIn, "");
  const result = await inWorker<ReadDocument>({ markdown }, signal);
  return {
    ...result,
    document: { ...result.document, title: page.title },
    facts: {
      ...(page.byline === undefined ? {} : { author: page.byline }),
      ...(page.published === undefined ? {} : { published: page.published }),
      ...(page.licence === undefined ? {} : { licence: page.licence }),
    },
  };
}

function inWorker<T extends DocumentResult>(task: DocumentTask, signal: AbortSignal): Promise<T> {
  return runInWorker<T>(new URL("./parse-document.ts", import.meta.url), task, {
    signal,
    timeoutMs: 180_000,
    maxOldSpaceMb: 1_024,
  });
}

function titleLine(title: string | null): string | null {
  const line = title?.replaceAll(/\s+/g, " ").trim().slice(0, 200).toWellFormed() ?? "";
  return line === "" ? null : line;
}

function tooLarge(): ProofroomError {
  return new ProofroomError({
    code: "too_large",
    message: "The file is larger than 32 MB.",
    remedy: "Give the part of it that the article is about.",
  });
}
