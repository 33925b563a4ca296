import { z } from "zod";
import { isTrustworthy } from "./oauth-config.ts";

/** How long the authorization server may take to answer, in milliseconds. */
const patience = 5_000;

const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.string().refine(isTrustworthy) });

/** Where the metadata of an issuer may stand: RFC 8414, and OpenID Connect Discovery in both of its readings. */
export function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
}

/**
 * Asks an issuer's metadata where its keys are.
 * @throws Error where it does not answer, or has no metadata that is its own
 */
export async function discoverKeys(issuer: string): Promise<URL> {
  for (const url of metadataUrls(issuer)) {
    const signal = AbortSignal.timeout(patience);
    const headers = { accept: "application/json" };
    const response = await fetch(url, { headers, redirect: "error", signal });
    const body: unknown = response.ok
      ? await response.json().catch(() => null)
      : await response.body?.cancel();
    const metadata = metadataSchema.safeParse(body);
    // Metadata of another issuer may have been put there to have its keys believed.
    if (metadata.success && metadata.data.issuer === issuer) return new URL(metadata.data.jwks_uri);
  }
  throw new Error("the issuer has no metadata");
}
