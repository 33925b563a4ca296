import { isLoopback } from "@proofroom/access";
import { z } from "zod";

/** An authorization server that is trusted, and what it must say of a token. */
export interface OAuthSettings {
  /** Exactly as its tokens name it. */
  issuer: string;
  /** By what name this gateway is meant in its tokens: its own address, as clients know it. */
  audience: string;
  /** Where its keys are; null asks its metadata. */
  jwksUrl: string | null;
  /** The claim that names the tenant. */
  tenantClaim: string;
  /** Whether a token without that claim is refused; else it is of the default tenant. */
  needsTenant: boolean;
  /** Scopes that a token must have, all of them. */
  scopes: readonly string[];
}

/** Whether keys and metadata may be trusted that come from there: nobody on the way can change them. */
export function isTrustworthy(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  const isLocal = isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
  return url.protocol === "https:" || (url.protocol === "http:" && isLocal);
}

const address = z.string().refine(isTrustworthy, {
  error: "must be an https URL, or http on a loopback address, without a password or a fragment",
});

/** The grammar of RFC 6749, section 3.3. */
const scopes = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((scope) => scope !== ""))
  .refine((list) => list.every((scope) => /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope)), {
    error: "must be scopes, separated by spaces or commas",
  });

/** The authorization server whose access tokens a gateway takes; null where none is named. */
export const oauthConfig = z
  .object({
    PROOFROOM_OAUTH_ISSUER: address
      .refine((text) => URL.parse(text)?.search === "", { error: "must be a URL without a query" })
      .optional(),
    PROOFROOM_OAUTH_AUDIENCE: address.optional(),
    PROOFROOM_OAUTH_JWKS_URL: address.optional(),
    PROOFROOM_OAUTH_TENANT_CLAIM: z.string().optional(),
    PROOFROOM_OAUTH_SCOPES: scopes.prefault(""),
  })
  .transform((env, context): { oauth: OAuthSettings | null } => {
    const missing = (variable: string) => context.addIssue({ code: "custom", path: [variable] });
    const { PROOFROOM_OAUTH_ISSUER: issuer, PROOFROOM_OAUTH_AUDIENCE: audience, ...rest } = env;
    const claim = rest.PROOFROOM_OAUTH_TENANT_CLAIM;
    const jwksUrl = rest.PROOFROOM_OAUTH_JWKS_URL ?? null;
    const list = rest.PROOFROOM_OAUTH_SCOPES;
    if (issuer === undefined) {
      // Half a configuration must not pass for none.
      if (audience !== undefined || jwksUrl !== null || claim !== undefined || list.length > 0)
        missing("PROOFROOM_OAUTH_ISSUER");
      return { oauth: null };
    }
    if (audience === undefined) {
      missing("PROOFROOM_OAUTH_AUDIENCE");
      return { oauth: null };
    }
    const tenant = { tenantClaim: claim ?? "tenant", needsTenant: claim !== undefined };
    return { oauth: { issuer, audience, jwksUrl, ...tenant, scopes: list } };
  });
