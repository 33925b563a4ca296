import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export const audience = "https://proofroom.example/mcp";

/** An authorization server as far as a resource sees it: metadata, keys, and the tokens that it has signed. */
export interface TestAuthorizationServer {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** The addresses that it was asked for. */
  readonly asked: string[];
  /** The newest key in public. */
  publicKey(): JWK;
  /** A token that holds, unless the claims given say otherwise; an undefined claim is left out. */
  sign(claims?: Record<string, unknown>, header?: { alg?: string; kid?: string }): Promise<string>;
  /** Signs with a new key from now on, and shows no other. */
  rotate(): Promise<void>;
  /** Answers nothing but 500 until it is told otherwise. */
  fail(failing: boolean): void;
  close(): Promise<void>;
}

export async function startAuthorizationServer(path = ""): Promise<TestAuthorizationServer> {
  const asked: string[] = [];
  let failing = false;
  let count = 0;
  let newest: { key: CryptoKey; jwk: JWK };

  async function rotate(): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    count += 1;
    newest = { key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid: `k${count}`, alg: "ES256" } };
  }

  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const documents: Record<string, unknown> = {
      [`/.well-known/openid-configuration${path}`]: { issuer, jwks_uri: jwksUrl },
      "/keys": { keys: [newest.jwk] },
    };
    const document = documents[request.url ?? ""];
    const status = failing ? 500 : document === undefined ? 404 : 200;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document ?? {}));
  });
  await rotate();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${origin}${path}`;
  const jwksUrl = `${origin}/keys`;

  return {
    issuer,
    jwksUrl,
    asked,
    publicKey: () => newest.jwk,
    async sign(claims = {}, header = {}) {
      const exp = Math.floor(Date.now() / 1_000) + 300;
      const all = { iss: issuer, aud: audience, sub: "user-1", exp, ...claims };
      return new SignJWT(all)
        .setProtectedHeader({ alg: "ES256", kid: newest.jwk.kid ?? "", ...header })
        .sign(newest.key);
    },
    rotate,
    fail(now) {
      failing = now;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
