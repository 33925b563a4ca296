import { createHash } from "node:crypto";
import type { ingestWebPage, Provenance, Source } from "@proofroom/contracts";
import { makeSource } from "@proofroom/evidence";
import type { Models } from "@proofroom/models";
import type { Handler } from "@proofroom/runtime";
import { ingestDocumentBytes } from "../document/ingest-document-bytes.ts";
import { storeSource } from "../document/stored-source.ts";
import type { ParsePool } from "../parsing/parse-pool.ts";
import { createCleanPage } from "./clean-page.ts";
import { decodePage, notText } from "./decode-page.ts";
import { extractReadable } from "./extract-readable.ts";
import { type Fetched, fetchBytes } from "./fetch-bytes.ts";
import { pageKind } from "./page-kind.ts";
import { createPublicDispatcher } from "./public-host.ts";

export interface WebPageDeps {
  /** Private addresses that may be fetched, as `host:port`. */
  allowHosts: ReadonlySet<string>;
  now: () => Date;
  /** Who cleans a page where that is asked for. */
  models: Models;
  parsing: ParsePool;
  /** Of one fetch with its redirects; 20 seconds where nothing else is said. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 20_000;

/**
 * The handler of ingest_web_page: fetches a page or a document over HTTP(S) and stores its readable text as a
 * source. What is no content (errors, bot checks, login walls, empty pages) fails and leaves nothing behind.
 */
export function createIngestWebPage(deps: WebPageDeps): Handler<typeof ingestWebPage> {
  const cleanPage = createCleanPage(deps.models);
  return async ({ url, clean = false }, context) => {
    const source = await fetchPage(url, { ...deps, signal: context.signal });
    return storeSource(context, clean ? await cleanPage(source, context) : source);
  };
}

/**
 * A page, or a document behind a URL, as a source.
 * @throws ProofroomError as fetchBytes, extractReadable and ingestDocumentBytes; invalid_input where the response
 *   is of a kind that holds no text
 */
async function fetchPage(
  ref: string,
  options: Omit<WebPageDeps, "models"> & { signal: AbortSignal },
): Promise<Source> {
  const { allowHosts, now, parsing, signal, timeoutMs = defaultTimeoutMs } = options;
  const dispatcher = await createPublicDispatcher({ allowHosts });
  try {
    const fetchOne = (url: string) => fetchBytes(url, { dispatcher, signal, now, timeoutMs });
    const first = await fetchOne(ref);
    const refreshed = refreshTarget(first);
    const fetched = refreshed === null ? first : await fetchOne(refreshed);
    return await toSource(ref, fetched, { now, parsing, signal });
  } finally {
    await dispatcher.destroy();
  }
}

/** Where a page that is nothing but a redirect in HTML leads, or null. */
function refreshTarget({ bytes, contentType, finalUrl }: Fetched): string | null {
  if (bytes.byteLength > 8_192 || pageKind(bytes, contentType, finalUrl).kind !== "html") return null;
  const html = decodePage(bytes, contentType);
  const refresh = /<meta\s[^<>]*http-equiv\s*=\s*["']?refresh["']?[^<>]*>/i.exec(html)?.[0];
  const target =
    refresh === undefined
      ? undefined
      : /content\s*=\s*["']\s*[0-3]\s*[;,]\s*url\s*=\s*["']?([^"'>]+)/i.exec(refresh);
  const address = target?.[1]?.trim().replaceAll("&amp;", "&");
  return address !== undefined && URL.canParse(address, finalUrl) ? new URL(address, finalUrl).href : null;
}

async function toSource(
  ref: string,
  fetched: Fetched,
  { now, parsing, signal }: Pick<WebPageDeps, "now" | "parsing"> & { signal: AbortSignal },
): Promise<Source> {
  const { bytes, contentType, finalUrl } = fetched;
  const found = pageKind(bytes, contentType, finalUrl);
  const provenance = {
    method: "http",
    content_sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.byteLength,
    retrieved_at: now().toISOString(),
    final_url: finalUrl,
  } satisfies Partial<Provenance>;
  if (found.kind === "other") throw notText();
  if (found.kind === "document") {
    const isText = found.extension !== "pdf" && found.extension !== "docx";
    const readable = isText ? new TextEncoder().encode(decodePage(bytes, contentType)) : bytes;
    const name = fileName(finalUrl, found.extension);
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
      ...(page.licence === undefined ? {} : { licence: page.licence }),
      ...(page.byline === undefined ? {} : { author: page.byline }),
      ...(page.published === undefined ? {} : { published: page.published }),
      omissions: page.omissions,
    },
  });
}

/** The last part of the path as the name of a file of the given type. */
function fileName(url: string, extension: string): string {
  const { pathname, host } = new URL(url);
  const last = decoded(pathname.split("/").findLast((part) => part !== "") ?? host);
  const stem = last
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
