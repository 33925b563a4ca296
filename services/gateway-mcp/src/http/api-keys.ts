import { createHash, timingSafeEqual } from "node:crypto";

/** Checks an `Authorization` header. Every key is compared, in constant time, whichever fits. */
export type KeyCheck = (authorization: string | undefined) => boolean;

/** @param hashes of the keys that are let in: sha256 in hex. Without any, everybody is. */
export function createKeyCheck(hashes: readonly string[]): KeyCheck {
  const known = hashes.map((hash) => Buffer.from(hash, "hex"));
  return (authorization) => {
    if (known.length === 0) return true;
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
    const given = createHash("sha256").update(token).digest();
    return known.reduce((found, hash) => timingSafeEqual(hash, given) || found, false);
  };
}
