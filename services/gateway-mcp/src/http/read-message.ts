import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { isJsonContentType, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { nestsDeeper } from "@proofroom/access";
import { Refusal } from "./refusal.ts";

/** The largest request body, in bytes. */
const bodyLimit = 4 * 1024 * 1024;

/** No message of the protocol comes near it. */
const depthLimit = 64;

function tooLarge(): Refusal {
  return new Refusal({ status: 413, message: `A body may have ${bodyLimit} bytes at most.` });
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"]) > bodyLimit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  // A connection that is cut off would take the answer with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size > bodyLimit) {
      request.resume();
      throw tooLarge();
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads the message that a request brings.
 * @throws Refusal for what is too large, too deep, no UTF-8 or no JSON
 */
export async function readMessage(request: IncomingMessage): Promise<unknown> {
  const { "content-type": type, "content-encoding": encoding = "identity" } = request.headers;
  if (!isJsonContentType(type ?? null) || encoding !== "identity") {
    throw new Refusal({ status: 415, message: "A body must be application/json, and not compressed." });
  }
  const bytes = await bytesOf(request);
  if (!isUtf8(bytes))
    throw new Refusal({ status: 400, code: ProtocolErrorCode.ParseError, message: "The body is not UTF-8." });
  if (nestsDeeper(bytes, depthLimit)) {
    const message = `The body is nested more than ${depthLimit} levels deep.`;
    throw new Refusal({ status: 400, code: ProtocolErrorCode.InvalidRequest, message });
  }
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new Refusal({ status: 400, code: ProtocolErrorCode.ParseError, message: "The body is not JSON." });
  }
}
