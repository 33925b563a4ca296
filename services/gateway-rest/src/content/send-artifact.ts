import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { ObjectStore } from "@proofroom/artifacts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { HttpProblem } from "../problems/http-problem.ts";
import { parseRange } from "./byte-range.ts";
import { namesTag } from "./entity-tags.ts";
import { mediaTypeOf } from "./media-type.ts";
import type { StoredArtifact } from "./stored-artifact.ts";

/** A page from us is shown alone: it may use what it carries, and neither load, send, nor reach this origin. */
const pagePolicy =
  "sandbox allow-scripts allow-popups; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'";

/** Of anything else nothing is executed, whatever a browser takes it for. */
const otherPolicy = "sandbox; default-src 'none'";

export interface SendOptions {
  store: ObjectStore;
  name: string;
  found: StoredArtifact;
  signal: AbortSignal;
}

/** Streams an artifact, or the range of it that was asked for. */
export async function sendArtifact(
  request: FastifyRequest,
  reply: FastifyReply,
  { store, name, found, signal }: SendOptions,
): Promise<FastifyReply> {
  const type = mediaTypeOf(name);
  reply.headers({
    etag: found.etag,
    "cache-control": "private, no-cache",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
    "content-security-policy": type.startsWith("text/html") ? pagePolicy : otherPolicy,
    ...(found.version === null ? {} : { "artifact-version": String(found.version) }),
  });
  const known = request.headers["if-none-match"];
  if (known !== undefined && namesTag(known, found.etag, "weak")) return reply.code(304).send();
  reply.header("content-type", type);
  const ifRange = request.headers["if-range"];
  const isSame = ifRange === undefined || ifRange === found.etag;
  const range = isSame && request.method === "GET" ? parseRange(request.headers.range, found.size) : null;
  if (range === "unsatisfiable") {
    throw new HttpProblem({
      status: 416,
      code: "range_not_satisfiable",
      detail: "The range lies outside the artifact.",
      headers: { "content-range": `bytes */${found.size}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: found.size - 1 };
  if (range !== null) reply.code(206).header("content-range", `bytes ${start}-${end}/${found.size}`);
  reply.header("content-length", end - start + 1);
  if (request.method === "HEAD" || found.size === 0) return reply.send();
  const { body } = await store.get(found.key, { ...(range === null ? {} : { range }), signal });
  return reply.send(Readable.fromWeb(body as WebStream<Uint8Array>));
}
