import { plainAddress } from "@proofroom/evidence";
import { isAllowedHost } from "../web/public-host.ts";

/** Parameters by which an address lets in whoever has it. */
const secretParameter =
  /^(?:x-(?:amz|goog|ms)-.+|sig|signature|(?:access_?|auth_?|id_?)?token|auth|api_?key|key|pass(?:word)?|secret|session(?:_?id)?|sid|jwt|ticket|code)$/i;

/**
 * The address under which a page may be kept for everybody: plain, of the public internet, and without anything that
 * only whom it was given to should have. Null where it may not be kept.
 * @param allowHosts private addresses that may be fetched, as `host:port`
 */
export function sharedAddress(text: string, allowHosts: ReadonlySet<string>): string | null {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || isAllowedHost(url, allowHosts))
    return null;
  const address = plainAddress(url);
  const isSecret = [...address.searchParams.keys()].some((name) => secretParameter.test(name));
  return isSecret ? null : address.href;
}
