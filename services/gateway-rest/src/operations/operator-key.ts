import { bearerToken } from "@proofroom/access";

/**
 * The key in an Authorization header: the password that a browser asks for, under any name (RFC 7617), or a bearer token. Null
 * where there is none.
 */
export function operatorKeyIn(header: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return bearerToken(header);
  const [, password] = /^[^:]*:(.+)$/su.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  return password ?? null;
}
