import { ProofroomError } from "@proofroom/contracts";
import { assertPublicHost, isAllowedHost } from "../web/public-host.ts";
import type { Firecrawl } from "./firecrawl-client.ts";
import type { PatientFirecrawl, Through } from "./patient-firecrawl.ts";

/**
 * Has Firecrawl do something at an address, unless the address is a private one, which its cloud is not told.
 * @throws ProofroomError private_address or unreachable as assertPublicHost, before anything is sent; or the
 *   signal's reason
 */
export async function throughFirecrawl<T>(
  firecrawl: PatientFirecrawl,
  url: URL,
  work: (firecrawl: Firecrawl) => Promise<T>,
  options: { allowHosts: ReadonlySet<string>; signal: AbortSignal },
): Promise<Through<T>> {
  if (firecrawl.isCloud && isAllowedHost(url, options.allowHosts)) return { why: keptPrivate };
  await assertPublicHost(url, options);
  return firecrawl.ask(work, options.signal);
}

const keptPrivate = new ProofroomError({
  code: "private_address",
  message: "Private addresses are not told to Firecrawl's cloud.",
});
