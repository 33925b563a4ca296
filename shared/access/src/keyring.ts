import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiKey } from "./access-config.ts";
import type { Caller } from "./caller.ts";

/** Finds the sha256, of those given, that a key has. It is compared with all of them, each in constant time. */
export function createKeyFinder(hashes: readonly string[]): (key: string) => string | null {
  const known = hashes.map((sha256) => ({ sha256, hash: Buffer.from(sha256, "hex") }));
  return (key) => {
    const given = createHash("sha256").update(key).digest();
    const [match] = known.filter(({ hash }) => timingSafeEqual(hash, given));
    return match?.sha256 ?? null;
  };
}

export interface Keyring {
  /** Whether any key is known. */
  readonly holds: boolean;
  /** Whose key it is, or null. */
  find(token: string): Caller | null;
}

/** Knows API keys by their sha256. */
export function createKeyring(keys: readonly ApiKey[]): Keyring {
  const tenants = new Map(keys.map(({ tenant, sha256 }) => [sha256, tenant]));
  const hashOf = createKeyFinder([...tenants.keys()]);
  return {
    holds: tenants.size > 0,
    find(token) {
      const id = hashOf(token);
      const tenant = id === null ? undefined : tenants.get(id);
      return id === null || tenant === undefined ? null : { tenant, id };
    },
  };
}
