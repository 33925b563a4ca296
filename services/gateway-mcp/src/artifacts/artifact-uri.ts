import { assertArtifactName, mediaTypeOfName, ProofroomError, runIdSchema } from "@proofroom/contracts";
import type { ArtifactLink } from "../tools/tool.ts";

/** RFC 6570: `+` lets the name keep its slashes. */
export const artifactUriTemplate = "run://{run_id}/{+artifact}";

/** What is told of a text artifact. */
export function mediaTypeOf(name: string): string {
  return mediaTypeOfName(name) ?? "text/plain";
}

/** The address of an artifact, and of what follows in it after so many bytes. */
export function artifactUri(runId: string, name: string, offset = 0): string {
  const path = name.split("/").map(encodeURIComponent).join("/");
  return `run://${runId}/${path}${offset === 0 ? "" : `?offset=${offset}`}`;
}

export function linkTo(runId: string, name: string): ArtifactLink {
  return { name, uri: artifactUri(runId, name), mimeType: mediaTypeOf(name) };
}

function invalid(): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: "That is not the address of an artifact.",
    remedy: "Use run://RUN_ID/NAME, for instance run://run_…/research.md.",
  });
}

/**
 * Reads the address of an artifact.
 * @throws ProofroomError invalid_input
 */
export function parseArtifactUri(uri: URL): { runId: string; name: string; offset: number } {
  const runId = runIdSchema.safeParse(uri.host);
  const offset = /^\d{1,12}$/.test(uri.searchParams.get("offset") ?? "0");
  if (uri.protocol !== "run:" || !runId.success || !offset) throw invalid();
  let name: string;
  try {
    name = decodeURIComponent(uri.pathname.slice(1));
  } catch {
    throw invalid();
  }
  return {
    runId: runId.data,
    name: assertArtifactName(name),
    offset: Number(uri.searchParams.get("offset") ?? 0),
  };
}
