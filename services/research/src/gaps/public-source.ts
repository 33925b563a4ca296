import type { Source } from "@proofroom/contracts";
import { isPublicHost } from "@proofroom/evidence";

/**
 * Whether anybody can read a source. Words of others (files of the author's, repositories, pages of a network of one's own) must
 * not come into a query, which strangers are asked.
 */
export function isPublic({ kind, ref }: Source): boolean {
  if (kind === "search_result" || kind === "video") return true;
  const host = kind === "web_page" ? URL.parse(ref)?.hostname : undefined;
  return host !== undefined && isPublicHost(host);
}
