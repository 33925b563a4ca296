import type { IncomingMessage } from "node:http";
import { type ApiKey, bearerToken, type Caller, createKeyring, openCaller } from "@proofroom/access";
import type { TokenVerifier } from "./oauth/verify-token.ts";
import { Refusal } from "./refusal.ts";

export interface AuthenticationOptions {
  apiKeys: readonly ApiKey[];
  /** Null where no authorization server is trusted. */
  tokens: TokenVerifier | null;
}

/**
 * Tells who asks: by an API key, or by an access token where it is none. Without any of both, everybody is the same caller.
 * @throws Refusal, from what it answers
 */
export function createAuthentication({
  apiKeys,
  tokens,
}: AuthenticationOptions): (request: IncomingMessage) => Promise<Caller> {
  const keyring = createKeyring(apiKeys);
  const challenge = new Refusal({
    status: 401,
    message: "A bearer key is needed.",
    headers: { "www-authenticate": 'Bearer realm="proofroom"' },
  });
  return async ({ headers }) => {
    if (!keyring.holds && tokens === null) return openCaller;
    const token = bearerToken(headers.authorization);
    const caller = token === null ? null : keyring.find(token);
    if (caller !== null) return caller;
    if (tokens === null) throw challenge;
    if (token === null) throw tokens.challenge;
    return tokens.verify(token);
  };
}
