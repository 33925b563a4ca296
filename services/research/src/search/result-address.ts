import type { ErrorCode } from "@proofroom/contracts";
import { addressKey, isPublicHost, plainAddress } from "@proofroom/evidence";

/** In characters. */
const longest = 2_000;

export interface ResultAddress {
  /** As it is shown and fetched: without fragment and tracking. */
  ref: string;
  /** Equal for all addresses of one page. */
  key: string;
}

/**
 * The address of a search result. It is foreign, and someone may fetch it later: only http(s) addresses of public
 * hosts without credentials are taken.
 * @returns the code of a failure where it is none of these
 */
export function resultAddress(text: string): ResultAddress | ErrorCode {
  const url = text.length > longest ? null : URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return "invalid_input";
  if (!isPublicHost(url.hostname)) return "private_address";
  return { ref: plainAddress(url).href, key: addressKey(url) };
}
