import { createHmac, createPublicKey } from "node:crypto";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { createLogger } from "@proofroom/telemetry";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  audience,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from "../../testing/authorization-server.ts";
import type { OAuthSettings } from "./oauth-config.ts";
import { createTokenVerifier } from "./verify-token.ts";

let server: TestAuthorizationServer;
let logged: PassThrough;

beforeEach(async () => {
  server = await startAuthorizationServer();
  logged = new PassThrough();
});

afterEach(() => server.close());

const now = () => Math.floor(Date.now() / 1_000);

function verifier(settings: Partial<OAuthSettings> = {}, times = { cooldownMs: 0, retryMs: 0 }) {
  const { issuer } = server;
  const tenant = { tenantClaim: "tenant", needsTenant: false };
  const all = { issuer, audience, jwksUrl: null, ...tenant, scopes: [], ...settings };
  return createTokenVerifier(all, createLogger({ level: "debug", destination: logged }), times);
}

const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");

describe("a token that holds", () => {
  it("tells whose it is, found by the issuer's metadata or where the keys are said to be", async () => {
    for (const jwksUrl of [null, server.jwksUrl]) {
      const tokens = await verifier({ jwksUrl });
      expect(await tokens.verify(await server.sign())).toEqual({ tenant: "default", id: "oauth:user-1" });
      const other = await server.sign({
        tenant: "docs",
        aud: ["https://other.example", audience],
        sub: "u2",
      });
      expect(await tokens.verify(other)).toEqual({ tenant: "docs", id: "oauth:u2" });
    }
  });

  it("may be of a client instead of a person", async () => {
    const tokens = await verifier();
    const token = await server.sign({ sub: undefined, client_id: "ci" });
    expect(await tokens.verify(token)).toEqual({ tenant: "default", id: "oauth:ci" });
  });

  it("is known by the issuer's metadata where the issuer has a path", async () => {
    const withPath = await startAuthorizationServer("/realm");
    try {
      const tokens = await verifier({ issuer: withPath.issuer });
      expect(await tokens.verify(await withPath.sign())).toMatchObject({ tenant: "default" });
    } finally {
      await withPath.close();
    }
  });

  it("needs every scope that is asked for, as scope or as scp", async () => {
    const tokens = await verifier({ scopes: ["read", "write"] });
    for (const claims of [{ scope: "write other read" }, { scp: ["read", "write"] }])
      expect(await tokens.verify(await server.sign(claims))).toMatchObject({ tenant: "default" });
    for (const claims of [{}, { scope: "read" }, { scope: "readwrite" }, { scope: 1 }]) {
      const refused = tokens.verify(await server.sign(claims));
      await expect(refused).rejects.toMatchObject({ status: 403 });
    }
  });
});

describe("a token that does not hold", () => {
  /** By a name: how it is made. */
  const forged: Record<string, () => Promise<string>> = {
    "for another audience": () => server.sign({ aud: "https://other.example/mcp" }),
    "for an audience that begins as ours does": () => server.sign({ aud: `${audience}/` }),
    "for no audience": () => server.sign({ aud: undefined }),
    "of another issuer": () => server.sign({ iss: `${server.issuer}/` }),
    "that has expired": () => server.sign({ exp: now() - 60 }),
    "that never expires": () => server.sign({ exp: undefined }),
    "that does not hold yet": () => server.sign({ nbf: now() + 600 }),
    "of nobody": () => server.sign({ sub: undefined }),
    "of a tenant whose name is none": () => server.sign({ tenant: "../other" }),
    "of many tenants": () => server.sign({ tenant: ["a", "b"] }),
    "of a tenant that is null": () => server.sign({ tenant: null }),
    "without a signature": async () =>
      new UnsecuredJWT({ iss: server.issuer, aud: audience, sub: "x", exp: now() + 60 }).encode(),
    "with its signature cut off": async () => `${(await server.sign()).split(".").slice(0, 2).join(".")}.`,
    "with other claims put in": async () => {
      const [header, , signature] = (await server.sign()).split(".");
      const claims = { iss: server.issuer, aud: audience, sub: "admin", exp: now() + 60 };
      return `${header}.${encoded(claims)}.${signature}`;
    },
    "signed with the public key as a password": async () => {
      const pem = createPublicKey({
        key: server.publicKey() as object as import("node:crypto").JsonWebKey,
        format: "jwk",
      }).export({ type: "spki", format: "pem" });
      const claims = { iss: server.issuer, aud: audience, sub: "x", exp: now() + 60 };
      const signed = `${encoded({ alg: "HS256", kid: server.publicKey().kid })}.${encoded(claims)}`;
      return `${signed}.${createHmac("sha256", pem).update(signed).digest("base64url")}`;
    },
    "that brings its own key": async () => {
      const { generateKeyPair, exportJWK } = await import("jose");
      const { publicKey, privateKey } = await generateKeyPair("ES256");
      return new SignJWT({ iss: server.issuer, aud: audience, sub: "x", exp: now() + 60 })
        .setProtectedHeader({ alg: "ES256", jwk: await exportJWK(publicKey), jku: server.jwksUrl })
        .sign(privateKey);
    },
    "that is none": async () => "not-a-token",
    "that is empty": async () => "..",
  };

  it.each(Object.keys(forged))("%s is refused, and a stranger is not told why", async (name) => {
    const token = (await forged[name]?.()) ?? "";
    const tokens = await verifier();
    await expect(tokens.verify(token)).rejects.toMatchObject({
      status: 401,
      message: "The access token does not hold.",
      headers: {
        "www-authenticate": expect.stringMatching(
          /^Bearer error="invalid_token", .*resource_metadata="https:/,
        ),
      },
    });
    logged.end();
    const lines = await text(logged);
    expect(lines).toContain("token refused");
    for (const part of token.split(".").filter((one) => one.length > 10)) expect(lines).not.toContain(part);
  });

  it("is refused without a tenant where tokens must have one", async () => {
    const tokens = await verifier({ tenantClaim: "org", needsTenant: true });
    await expect(tokens.verify(await server.sign({ tenant: "docs" }))).rejects.toMatchObject({ status: 401 });
    expect(await tokens.verify(await server.sign({ org: "docs" }))).toMatchObject({ tenant: "docs" });
  });
});

describe("keys", () => {
  it("that are new are found, and those that are gone are no longer taken", async () => {
    const tokens = await verifier();
    const before = await server.sign();
    await tokens.verify(before);
    await server.rotate();
    expect(await tokens.verify(await server.sign())).toMatchObject({ tenant: "default" });
    await expect(tokens.verify(before)).rejects.toMatchObject({ status: 401 });
  });

  it("are not asked for again and again by tokens that name keys there are not", async () => {
    const tokens = await verifier({}, { cooldownMs: 60_000, retryMs: 60_000 });
    await tokens.verify(await server.sign());
    const asked = server.asked.length;
    for (let n = 0; n < 20; n += 1) {
      const refused = tokens.verify(await server.sign({}, { kid: `none-${n}` }));
      await expect(refused).rejects.toMatchObject({ status: 401 });
    }
    expect(server.asked).toHaveLength(asked);
    expect(server.asked.filter((url) => url === "/keys")).toHaveLength(1);
  });

  it.each([null, "url"])("that cannot be had make no token wrong (%j)", async (place) => {
    const tokens = await verifier({ jwksUrl: place === null ? null : server.jwksUrl });
    server.fail(true);
    const token = await server.sign();
    await expect(tokens.verify(token)).rejects.toMatchObject({ status: 503 });
    server.fail(false);
    expect(await tokens.verify(token)).toMatchObject({ tenant: "default" });
  });

  it("of a server that nobody reaches are waited for without asking all the time", async () => {
    const token = await server.sign();
    const tokens = await verifier({}, { cooldownMs: 0, retryMs: 60_000 });
    server.fail(true);
    const told = { status: 503, headers: { "retry-after": "60" } };
    await expect(tokens.verify(token)).rejects.toMatchObject(told);
    const asked = server.asked.length;
    server.fail(false);
    await expect(tokens.verify(token)).rejects.toMatchObject(told);
    expect(server.asked).toHaveLength(asked);
  });

  it("are not those of metadata that another issuer has put there", async () => {
    const tokens = await verifier({ issuer: `${server.issuer}/` });
    const token = await server.sign({ iss: `${server.issuer}/` });
    await expect(tokens.verify(token)).rejects.toMatchObject({ status: 503 });
    expect(server.asked).not.toContain("/keys");
  });
});
