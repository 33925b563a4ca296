import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import { createSecretRemover } from "@proofroom/telemetry";
import type { z } from "zod";
import { readCapped } from "../ingest/web/read-capped.ts";
import { type ProviderWords, refusedSearch, strangeAnswer } from "./provider-error.ts";

/** What every provider is built with. */
export interface ProviderDeps {
  now: () => Date;
  /** Of one request, body included, in milliseconds; the provider's own where nothing is said. */
  timeoutMs?: number;
}

export interface ProviderRequest {
  words: ProviderWords;
  url: URL;
  signal: AbortSignal;
  now: () => Date;
  timeoutMs: number;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET, or what `method` says. */
  body?: object;
  method?: "DELETE";
  /** A larger answer is none, in bytes; 2 MB where nothing is said. */
  maxBytes?: number;
  /** Errors of this provider alone, by status. */
  refusals?: Readonly<Record<number, ProofroomError>>;
}

const megabyte = 1024 * 1024;

const userAgent = "Proofroom/0.1 (research assistant)";

/** The address of a provider's interface: a path below its base, which may have a path of its own. */
export function endpoint(base: string, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(`${base}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/**
 * Sends one request to a provider and answers the body. The address is a setting of whoever operates this, so a
 * private one is good; redirects are not followed, since the key must not go to another place.
 * @throws ProofroomError as SearchProvider.search
 */
export async function askProvider(request: ProviderRequest): Promise<string> {
  const deadline = AbortSignal.timeout(request.timeoutMs);
  try {
    return await exchange(request, AbortSignal.any([request.signal, deadline]));
  } catch (error) {
    request.signal.throwIfAborted();
    if (isProofroomError(error)) throw error;
    const { title, addressSetting } = request.words;
    if (deadline.aborted) {
      const message = `${title} did not answer in time.`;
      throw new ProofroomError({ code: "timeout", message, cause: error });
    }
    throw new ProofroomError({
      code: "unreachable",
      message: `${title} could not be reached, or broke off the connection.`,
      remedy: `Check that this machine can reach the internet, and ${addressSetting}.`,
      cause: error,
    });
  }
}

async function exchange(request: ProviderRequest, signal: AbortSignal): Promise<string> {
  const { words, url, headers, body, method, refusals = {}, maxBytes = 2 * megabyte } = request;
  const { fetch } = await import("undici");
  const response = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    redirect: "manual",
    signal,
    headers: {
      "user-agent": userAgent,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw refusals[response.status] ?? refusedSearch(words, response.status, response.headers, request.now());
  }
  const bytes = await readCapped(response, maxBytes);
  if (bytes === null) {
    throw new ProofroomError({
      code: "too_large",
      message: `${words.title} answered with more than ${maxBytes / megabyte} MB.`,
      remedy: "Ask for something narrower.",
    });
  }
  return withoutKey(new TextDecoder().decode(bytes), headers?.["authorization"]);
}

/** An answer that quotes the key it was shown does not hand it on: it is recorded, and becomes a source. */
function withoutKey(text: string, authorization: string | undefined): string {
  if (authorization === undefined) return text;
  return createSecretRemover([authorization.slice(authorization.indexOf(" ") + 1)])(text);
}

/** As `askProvider`, for providers that answer in JSON of a known form. */
export async function askJson<Schema extends z.ZodType>(
  request: ProviderRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await askProvider({
    ...request,
    headers: { accept: "application/json", ...request.headers },
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const what = /^\s*<(?:!doctype|html|head|body)\b/i.test(text) ? "a web page" : "what is not JSON";
    throw strangeAnswer(request.words, what, { isSpoilt: true, cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw strangeAnswer(request.words, "JSON of an unknown form", { isSpoilt: false, cause: parsed.error });
}
