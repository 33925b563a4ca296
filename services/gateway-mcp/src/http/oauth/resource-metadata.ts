import { getOAuthProtectedResourceMetadataUrl } from "@modelcontextprotocol/server";
import type { OAuthSettings } from "./oauth-config.ts";

const wellKnown = "/.well-known/oauth-protected-resource";

/** Where a client finds what this resource is (RFC 9728, section 3.1). */
export function metadataUrlOf(audience: string): string {
  return getOAuthProtectedResourceMetadataUrl(new URL(audience));
}

/** The paths under which it is served: a proxy may have taken away the beginning of the resource's own. */
export function metadataPaths(audience: string): ReadonlySet<string> {
  return new Set([wellKnown, `${wellKnown}/mcp`, new URL(metadataUrlOf(audience)).pathname]);
}

/** What this resource is, for a client that looks for the server whose tokens it takes. */
export function resourceMetadata({ issuer, audience, scopes }: OAuthSettings) {
  return {
    resource: audience,
    authorization_servers: [issuer],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ["header"],
    resource_name: "Proofroom",
  };
}
