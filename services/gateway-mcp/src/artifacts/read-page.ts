import { isUtf8 } from "node:buffer";
import { type ObjectStore, openRunArtifacts, type RunArtifacts, sha256Of } from "@proofroom/artifacts";
import { isBookkeeping, ProofroomError } from "@proofroom/contracts";
import { openLedger } from "@proofroom/runtime/records";

/** The largest page, in bytes. */
export const pageLimit = 64 * 1024;

export interface PageRequest {
  runId: string;
  name: string;
  /** Bytes from the beginning. */
  offset: number;
  /** Bytes, at most `pageLimit`. */
  limit: number;
  /** This version instead of what the artifact is now. */
  version?: number | undefined;
}

export interface Page {
  /** UTF-8, or base64 of what is no text. */
  text: string;
  encoding: "utf8" | "base64";
  offset: number;
  /** Where the next page begins, or null at the end. */
  nextOffset: number | null;
  totalBytes: number;
  /** The version that this is; absent where a person has changed the file since, and for what has no versions. */
  version?: number;
}

async function contentOf(
  artifacts: RunArtifacts,
  request: PageRequest,
): Promise<{ bytes: Uint8Array; version?: number }> {
  const { name } = request;
  if (request.version !== undefined) {
    const version = await artifacts.version(name, request.version);
    return { bytes: await artifacts.read(name, version), version: version.n };
  }
  const bytes = isBookkeeping(name) ? null : await artifacts.readPlain(name);
  if (bytes === null) {
    throw new ProofroomError({
      code: "not_found",
      message: "The run has no such artifact.",
      remedy: "get_run lists the artifacts there are.",
    });
  }
  const head = await artifacts.latest(name);
  return head?.sha256 === sha256Of(bytes) ? { bytes, version: head.n } : { bytes };
}

/** Whether a byte goes on with a character of UTF-8 that began before. */
function continues(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Moves a cut back to where a character begins; an offset inside one is the caller's own and is moved on. */
function boundary(bytes: Uint8Array, at: number, step: 1 | -1): number {
  let place = Math.min(at, bytes.length);
  while (place > 0 && continues(bytes[place])) place += step;
  return place;
}

/**
 * Reads a page of an artifact; pages of a text never divide a character.
 * @throws ProofroomError not_found (run, artifact or version), invalid_input (name)
 */
export async function readPage(store: ObjectStore, request: PageRequest): Promise<Page> {
  await openLedger(store, request.runId).manifest();
  const { bytes, version } = await contentOf(openRunArtifacts(store, request.runId), request);
  const isText = isUtf8(bytes);
  const end = Math.min(bytes.length, request.offset + Math.min(request.limit, pageLimit));
  const from = isText ? boundary(bytes, request.offset, 1) : Math.min(request.offset, bytes.length);
  let to = isText ? boundary(bytes, end, -1) : end;
  // A limit below the length of one character still gets on.
  if (isText && to <= from && from < bytes.length) to = boundary(bytes, from + 1, 1);
  const page = Buffer.from(bytes.subarray(from, Math.max(from, to)));
  const encoding = isText ? "utf8" : "base64";
  return {
    text: page.toString(encoding),
    encoding,
    offset: from,
    nextOffset: to < bytes.length ? to : null,
    totalBytes: bytes.length,
    ...(version === undefined ? {} : { version }),
  };
}
