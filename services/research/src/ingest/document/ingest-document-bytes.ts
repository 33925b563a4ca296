import { createHash } from "node:crypto";
import { type Attribution, ProofroomError, type Provenance, type Source } from "@proofroom/contracts";
import { makeSource } from "@proofroom/evidence";
import { type ParsePool, parserHeapMb } from "../parsing/parse-pool.ts";
import { fileNameOf } from "./code-languages.ts";
import type { DocumentResult, DocumentTask } from "./parse-document.ts";
import type { ReadDocument } from "./parsed-document.ts";
import { readPlainFile } from "./read-plain.ts";

/** The largest file that is read, in bytes. */
export const maxDocumentBytes = 32 * 1024 * 1024;

/** Text and code of up to so many bytes are read without a process of their own: it takes some milliseconds. */
const maxPlainBytes = 128 * 1024;

interface DocumentFile {
  /** The path as the guideline gives it. */
  ref: string;
  bytes: Uint8Array;
  signal: AbortSignal;
  /** Where formats with a parser are read. */
  parsing: ParsePool;
  /** ISO 8601; left out of the provenance where not given. */
  retrievedAt?: string;
}

/**
 * Turns one file into a source: Markdown, plain text, code, notebooks, PDF, Word documents, saved web pages. All but
 * small text and code is read in a child that ends with the signal, after three minutes, or beyond 1.5 GB of memory.
 * @throws ProofroomError invalid_input (binary, empty, encrypted, broken, no text layer), too_large (over 32 MB,
 *   zip bomb), timeout, no_evidence (a saved page without text); or the signal's reason
 */
export async function ingestDocumentBytes({
  ref,
  bytes,
  signal,
  parsing,
  retrievedAt,
}: DocumentFile): Promise<Source> {
  if (bytes.length > maxDocumentBytes) throw tooLarge();
  signal.throwIfAborted();
  const plain = bytes.length <= maxPlainBytes ? readPlainFile(ref, bytes) : null;
  const { document, mediaType, facts } =
    plain === null ? await parse({ path: ref, bytes }, { signal, parsing }) : asRead(plain);
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
  facts: Attribution & Pick<Provenance, "identifiers">;
}

function asRead(result: ReadDocument): Read {
  const { author } = result.document;
  return { ...result, facts: author === undefined ? {} : { author } };
}

type Means = Pick<DocumentFile, "signal" | "parsing">;

async function parse(task: DocumentTask, means: Means): Promise<Read> {
  const result = await means.parsing.run<DocumentResult>(
    new URL("./parse-document.ts", import.meta.url),
    task,
    { signal: means.signal, timeoutMs: 180_000, maxOldSpaceMb: parserHeapMb },
  );
  return "html" in result ? readPage(result.html, means) : asRead(result);
}

async function readPage(html: string, means: Means): Promise<Read> {
  const { extractReadable } = await import("../web/extract-readable.ts");
  const { title, markdown, spans, omissions, facts } = await extractReadable({
    html,
    url: null,
    ...means,
  });
  return {
    document: { title, text: markdown, spans, omissions },
    mediaType: "text/html",
    facts,
  };
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
