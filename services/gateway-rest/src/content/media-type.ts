import { artifact, mediaTypeOfName, mediaTypes } from "@proofroom/contracts";

const bytes = "application/octet-stream";

/** All that artifacts are served as, without parameters. */
export const artifactMediaTypes: readonly string[] = [bytes, ...mediaTypes];

/** What an artifact is served as. Text of others is never told to be HTML: only the page that we render is. */
export function mediaTypeOf(name: string): string {
  const type = mediaTypeOfName(name);
  if (type === null || (type === "text/html" && name !== artifact.page)) return bytes;
  return type === "application/pdf" ? type : `${type}; charset=utf-8`;
}
