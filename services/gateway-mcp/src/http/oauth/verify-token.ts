import type { Caller } from "@proofroom/access";
import { defaultTenant, tenantSchema } from "@proofroom/contracts";
import type { Logger } from "@proofroom/telemetry";
import type { JWTPayload } from "jose";
import { Refusal } from "../refusal.ts";
import type { OAuthSettings } from "./oauth-config.ts";
import { metadataUrlOf } from "./resource-metadata.ts";
import { createSigningKeys, KeysUnavailable, type KeyTimes } from "./signing-keys.ts";

/** Asymmetric ones only: with the others whoever knows the public key could sign. */
const algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** How far clocks may be apart, in seconds. */
const clockTolerance = 5;

export interface TokenVerifier {
  /** What is answered to a request without a token. */
  readonly challenge: Refusal;
  /**
   * Tells whose an access token is.
   * @throws Refusal: 401 for one that does not hold, 403 for one without a scope, 503 where that cannot be told now
   */
  verify(token: string): Promise<Caller>;
}

/** The scopes of a token: `scope` of RFC 8693, or `scp` as some servers have it. */
function scopesOf({ scope, scp }: JWTPayload): string[] {
  return [scope, scp].flat().flatMap((value) => (typeof value === "string" ? value.split(" ") : []));
}

function subjectOf({ sub, client_id, azp }: JWTPayload): string | null {
  const named = [sub, client_id, azp].find((value) => typeof value === "string" && value !== "");
  return named === undefined ? null : String(named);
}

function tenantOf(claims: JWTPayload, { tenantClaim, needsTenant }: OAuthSettings): string | null {
  const value = claims[tenantClaim];
  if (value === undefined) return needsTenant ? null : defaultTenant;
  return tenantSchema.safeParse(value).data ?? null;
}

/** Takes the access tokens (JWT) of one authorization server that are meant for this gateway. */
export async function createTokenVerifier(
  settings: OAuthSettings,
  log: Logger,
  times: KeyTimes = { cooldownMs: 30_000, retryMs: 5_000 },
): Promise<TokenVerifier> {
  const { jwtVerify, errors } = await import("jose");
  const keyOf = await createSigningKeys(settings, times);
  const { issuer, audience, scopes } = settings;

  /** RFC 6750, section 3, and RFC 9728, section 5.1. */
  function challenge(status: number, message: string, error?: string): Refusal {
    const fields = [
      ...(error === undefined ? [] : [`error="${error}"`, `error_description="${message}"`]),
      ...(scopes.length === 0 ? [] : [`scope="${scopes.join(" ")}"`]),
      `resource_metadata="${metadataUrlOf(audience)}"`,
    ];
    return new Refusal({ status, message, headers: { "www-authenticate": `Bearer ${fields.join(", ")}` } });
  }

  /** The reason is for those who run the gateway: a stranger learns only that it does not hold. */
  function invalid(reason: string): Refusal {
    log.debug({ reason }, "token refused");
    return challenge(401, "The access token does not hold.", "invalid_token");
  }

  async function claimsOf(token: string): Promise<JWTPayload> {
    try {
      const options = { issuer, audience, algorithms, clockTolerance, requiredClaims: ["exp"] };
      return (await jwtVerify(token, keyOf, options)).payload;
    } catch (error) {
      if (!(error instanceof KeysUnavailable)) {
        throw invalid(error instanceof errors.JOSEError ? error.code : "unusable");
      }
      const cause = error.cause instanceof Error ? error.cause.name : "unknown";
      log.warn({ cause }, error.message);
      throw new Refusal({
        status: 503,
        message: "The authorization server does not answer, so no token can be checked.",
        headers: { "retry-after": String(Math.ceil(times.retryMs / 1_000)) },
      });
    }
  }

  return {
    challenge: challenge(401, "An access token is needed."),
    async verify(token) {
      const claims = await claimsOf(token);
      const subject = subjectOf(claims);
      if (subject === null) throw invalid("no subject");
      const tenant = tenantOf(claims, settings);
      if (tenant === null) throw invalid("no tenant");
      const given = scopesOf(claims);
      if (!scopes.every((scope) => given.includes(scope))) {
        throw challenge(403, "The access token lacks a scope.", "insufficient_scope");
      }
      return { tenant, id: `oauth:${subject}` };
    },
  };
}
