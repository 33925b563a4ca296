import { nestsDeeper } from "@proofroom/access";
import { ProofroomError } from "@proofroom/contracts";
import type { FastifyInstance } from "fastify";
import { HttpProblem } from "../problems/http-problem.ts";

/** How deep JSON may nest: no input of ours comes near it. */
const depthLimit = 32;

function refused(message: string): ProofroomError {
  return new ProofroomError({ code: "invalid_input", message });
}

/** @throws ProofroomError invalid_input for bytes that are not UTF-8 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused("The body is not UTF-8.");
  }
}

/**
 * Parses a JSON body; an empty one is `undefined`.
 * @throws ProofroomError invalid_input for bytes that are not UTF-8, not JSON, or nested too deep
 */
function parseJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes);
  if (text.trim() === "") return undefined;
  if (nestsDeeper(bytes, depthLimit)) throw refused(`The JSON nests deeper than ${depthLimit} levels.`);
  try {
    return JSON.parse(text);
  } catch {
    throw refused("The body is not valid JSON.");
  }
}

/** Which bodies the routes of a scope take: parsed JSON, text as bytes, or a stream that the handler reads. */
export type BodyKind = "json" | "text" | "stream";

/** The media types of each kind; any other body is refused with 415. */
export const mediaTypes: Readonly<Record<BodyKind, readonly [string, ...string[]]>> = {
  json: ["application/json"],
  text: ["text/markdown", "text/plain"],
  stream: ["application/octet-stream"],
};

/** Makes the routes of a scope take one kind of body, and no other; none of them is unpacked here. */
export function acceptBodies(scope: FastifyInstance, kind: BodyKind): void {
  scope.removeAllContentTypeParsers();
  scope.addHook("preParsing", async ({ headers }) => {
    const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
    if (encoding === "identity") return;
    throw new HttpProblem({
      status: 415,
      code: "unsupported_media_type",
      detail: "Compressed bodies are not taken.",
      headers: { "accept-encoding": "identity" },
    });
  });
  const types = [...mediaTypes[kind]];
  if (kind === "stream") {
    scope.addContentTypeParser(types, (_request, payload, done) => done(null, payload));
    return;
  }
  scope.addContentTypeParser(
    types,
    { parseAs: "buffer" },
    async (_request: unknown, body: Buffer | string) => {
      const bytes = Buffer.from(body);
      return kind === "json" ? parseJson(bytes) : bytes;
    },
  );
}
