import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiKey } from "./access-config.ts";
import type { Caller } from "./caller.ts";

export interface Keyring {
  /** Whether any key is known. */
  readonly holds: boolean;
  /** Whose key it is, or null. */
  find(token: string): Caller | null;
}

/** Knows API keys by their sha256. A token is compared with all of them, each in constant time. */
export function createKeyring(keys: readonly ApiKey[]): Keyring {
  const known = keys.map(({ tenant, sha256 }) => ({
    caller: { tenant, id: sha256 },
    hash: Buffer.from(sha256, "hex"),
  }));
  return {
    holds: known.length > 0,
    find(token) {
      const given = createHash("sha256").update(token).digest();
      const [match] = known.filter(({ hash }) => timingSafeEqual(hash, given));
      return match?.caller ?? null;
    },
  };
}
