import type { FetchImplementation, JWTVerifyGetKey } from "jose";
import { openOnce } from "../../stdio/open-once.ts";
import { discoverKeys } from "./discover-keys.ts";

/** How long the authorization server is left alone, in milliseconds: tokens are anybody's, and must not have it asked all the time. */
export interface KeyTimes {
  /** After its keys were read, though a token names one that is not among them. */
  cooldownMs: number;
  /** After it could not be reached. */
  retryMs: number;
}

/** The keys cannot be had now, whatever the token is worth. */
export class KeysUnavailable extends Error {
  constructor(cause: unknown) {
    super("the keys of the authorization server cannot be had", { cause });
    this.name = "KeysUnavailable";
  }
}

/**
 * Finds the public key that a token names. Keys are read when they are first needed, kept, and read again for a key that is
 * not among them.
 * @param jwksUrl null asks the issuer's metadata
 * @throws KeysUnavailable, from what it answers
 */
export async function createSigningKeys(
  { issuer, jwksUrl }: { issuer: string; jwksUrl: string | null },
  { cooldownMs, retryMs }: KeyTimes,
): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet, customFetch, errors } = await import("jose");
  let failedAt = Number.NEGATIVE_INFINITY;

  /** Asks the authorization server, unless it has just failed. */
  async function asking<T>(work: () => Promise<T>): Promise<T> {
    if (performance.now() - failedAt < retryMs) throw new Error("it has just failed");
    try {
      return await work();
    } catch (error) {
      failedAt = performance.now();
      throw error;
    }
  }

  const read: FetchImplementation = (url, options) =>
    asking(async () => {
      const response = await fetch(url, options);
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      return response;
    });

  const keys = openOnce(async () => {
    const url = jwksUrl === null ? await asking(() => discoverKeys(issuer)) : new URL(jwksUrl);
    return createRemoteJWKSet(url, { cooldownDuration: cooldownMs, [customFetch]: read });
  });

  return async (header, token) => {
    try {
      return await (await keys())(header, token);
    } catch (error) {
      const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys } = errors;
      if (error instanceof JWKSNoMatchingKey || error instanceof JWKSMultipleMatchingKeys) throw error;
      throw new KeysUnavailable(error);
    }
  };
}
