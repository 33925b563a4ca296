import { createHash } from "node:crypto";
import type { Provenance, Source } from "@proofroom/contracts";
import { makeSource } from "@proofroom/evidence";
import { ingestDocumentBytes } from "../document/ingest-document-bytes.ts";
import type { ParsePool } from "../parsing/parse-pool.ts";
import { decodePage, notText } from "./decode-page.ts";
import { extractReadable } from "./extract-readable.ts";
import type { Fetched } from "./fetch-bytes.ts";
import { pageKind } from "./page-kind.ts";

export interface PageSourceOptions {
  now: () => Date;
  parsing: ParsePool;
  signal: AbortSignal;
}

/**
 * What was fetched, as a source: the readable part of a page, or the text of a document.
 * @throws ProofroomError as extractReadable and ingestDocumentBytes; invalid_input where the response is of a kind
 *   that holds no text
 */
export async function pageSource(
  ref: string,
  fetched: Fetched,
  { now, parsing, signal }: PageSourceOptions,
): Promise<Source> {
  const { bytes, contentType, finalUrl, fileName, retrievedAt = now().toISOString() } = fetched;
  const found = pageKind(bytes, contentType, finalUrl, fileName);
  const provenance = {
    method: "http",
    content_sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.byteLength,
    retrieved_at: retrievedAt,
    final_url: finalUrl,
  } satisfies Partial<Provenance>;
  if (found.kind === "other") throw notText();
  if (found.kind === "document") {
    const readable = found.isText ? new TextEncoder().encode(decodePage(bytes, contentType)) : bytes;
    const name = documentName(fileName ?? lastPart(finalUrl), found.extension);
    const document = await ingestDocumentBytes({ ref: name, bytes: readable, signal, parsing });
    const { v: _v, sha256: _sha256, ...parts } = document;
    return makeSource({
      ...parts,
      kind: "web_page",
      ref,
      provenance: { ...document.provenance, ...provenance },
    });
  }
  const html = decodePage(bytes, contentType);
  const page = await extractReadable({ html, url: finalUrl, signal, parsing });
  return makeSource({
    kind: "web_page",
    ref,
    title: page.title,
    text: page.markdown,
    spans: page.spans,
    provenance: {
      ...provenance,
      media_type: "text/html",
      ...page.facts,
      omissions: page.omissions,
    },
  });
}

function lastPart(url: string): string {
  const { pathname, host } = new URL(url);
  return decoded(pathname.split("/").findLast((part) => part !== "") ?? host);
}

/** A name as that of a file of the given type. */
function documentName(name: string, extension: string): string {
  const stem = name
    .replace(/\.[a-z0-9]{1,5}$/i, "")
    .replace(/[\p{Cc}/\\]/gu, "-")
    .slice(0, 120);
  return `${stem === "" ? "document" : stem}.${extension}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
