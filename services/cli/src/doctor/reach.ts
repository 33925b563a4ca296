import type { EndpointDescription } from "@proofroom/models";
import type { Finding } from "./finding.ts";

/** How long a provider has to answer, in milliseconds. */
const patience = 10_000;

const gemini = "https://generativelanguage.googleapis.com";

interface Place extends Pick<EndpointDescription, "key" | "baseUrl"> {
  /** What is spoken there; null where it is only asked whether it answers. */
  api: EndpointDescription["api"] | "firecrawl" | null;
}

function requestOf({ api, key, baseUrl }: Place): { url: string; headers: Record<string, string> } {
  if (api === "gemini") {
    const url = `${baseUrl ?? gemini}/v1beta/models?pageSize=1`;
    return { url, headers: { "x-goog-api-key": key ?? "" } };
  }
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  if (api === "firecrawl") return { url: `${baseUrl}/v2/team/credit-usage`, headers };
  return { url: api === null ? (baseUrl ?? "") : `${baseUrl?.replace(/\/$/, "")}/models`, headers };
}

/** Asks a provider for what costs nothing: whether it answers, and whether it takes the key. */
export async function isReached(place: Place, signal: AbortSignal): Promise<Omit<Finding, "name">> {
  const { url, headers } = requestOf(place);
  try {
    const { status } = await fetch(url, {
      headers,
      // A key is for this address alone.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    });
    if (place.api === null || status < 400) return { state: "ok", what: "reached" };
    if ([400, 401, 403].includes(status))
      return {
        state: "missing",
        what: "reached, but the key is not accepted",
        fix: "Set a key that is valid.",
      };
    return { state: "optional", what: `reached; it answers with status ${status}` };
  } catch {
    signal.throwIfAborted();
    return {
      // The public ones are there whether anybody wants them or not.
      state: place.key === undefined ? "optional" : "missing",
      what: "not reached",
      fix: "Check its address and the network.",
    };
  }
}
