import { parseEnv } from "@proofroom/config";
import { describe, expect, it } from "vitest";
import { metadataUrls } from "./discover-keys.ts";
import { oauthConfig } from "./oauth-config.ts";
import { metadataPaths, metadataUrlOf } from "./resource-metadata.ts";

const enough = {
  PROOFROOM_OAUTH_ISSUER: "https://as.example/realm",
  PROOFROOM_OAUTH_AUDIENCE: "https://proofroom.example/mcp",
};

describe("the settings of OAuth", () => {
  it("are none where no issuer is named", () => {
    expect(parseEnv(oauthConfig, {})).toEqual({ oauth: null });
  });

  it("need an issuer and an audience; the rest has defaults", () => {
    const { oauth } = parseEnv(oauthConfig, enough);
    expect(oauth).toEqual({
      issuer: "https://as.example/realm",
      audience: "https://proofroom.example/mcp",
      jwksUrl: null,
      tenantClaim: "tenant",
      needsTenant: false,
      scopes: [],
    });
  });

  it("take a claim that every token must have then, scopes, and addresses on loopback without TLS", () => {
    const { oauth } = parseEnv(oauthConfig, {
      PROOFROOM_OAUTH_ISSUER: "http://[::1]:9000",
      PROOFROOM_OAUTH_AUDIENCE: "http://localhost:8081/mcp",
      PROOFROOM_OAUTH_JWKS_URL: "http://127.0.0.1:9000/keys",
      PROOFROOM_OAUTH_TENANT_CLAIM: "org",
      PROOFROOM_OAUTH_SCOPES: "proofroom:write, proofroom:read",
    });
    expect(oauth).toMatchObject({
      tenantClaim: "org",
      needsTenant: true,
      scopes: ["proofroom:write", "proofroom:read"],
    });
  });

  it.each([
    ["PROOFROOM_OAUTH_ISSUER", "http://as.example"],
    ["PROOFROOM_OAUTH_ISSUER", "as.example"],
    ["PROOFROOM_OAUTH_ISSUER", "https://as.example?x=1"],
    ["PROOFROOM_OAUTH_ISSUER", "https://user:secret@as.example"],
    ["PROOFROOM_OAUTH_AUDIENCE", "http://proofroom.example/mcp"],
    ["PROOFROOM_OAUTH_AUDIENCE", "https://proofroom.example/mcp#x"],
    ["PROOFROOM_OAUTH_JWKS_URL", "file:///etc/keys"],
    ["PROOFROOM_OAUTH_SCOPES", 'a"b'],
  ])("refuse %s=%s", (variable, value) => {
    expect(() => parseEnv(oauthConfig, { ...enough, [variable]: value })).toThrow(
      expect.objectContaining({ variable }),
    );
  });

  it.each([
    ["PROOFROOM_OAUTH_AUDIENCE", { PROOFROOM_OAUTH_ISSUER: "https://as.example" }],
    ["PROOFROOM_OAUTH_ISSUER", { PROOFROOM_OAUTH_AUDIENCE: "https://proofroom.example/mcp" }],
    ["PROOFROOM_OAUTH_ISSUER", { PROOFROOM_OAUTH_SCOPES: "a" }],
    ["PROOFROOM_OAUTH_ISSUER", { PROOFROOM_OAUTH_TENANT_CLAIM: "org" }],
  ])("are refused for want of %s: half of them must not pass for none", (variable, env) => {
    expect(() => parseEnv(oauthConfig, env)).toThrow(`${variable}: must be set`);
  });
});

describe("well-known addresses", () => {
  it.each([
    [
      "https://as.example/realm/",
      [
        "https://as.example/.well-known/oauth-authorization-server/realm",
        "https://as.example/.well-known/openid-configuration/realm",
        "https://as.example/realm/.well-known/openid-configuration",
      ],
    ],
    [
      "https://as.example",
      [
        "https://as.example/.well-known/oauth-authorization-server",
        "https://as.example/.well-known/openid-configuration",
      ],
    ],
  ])("of the issuer %s", (issuer, urls) => {
    expect(metadataUrls(issuer)).toEqual(urls);
  });

  it("of this resource stand before its own path, and are served under the shorter ones too", () => {
    const url = "https://proofroom.example/.well-known/oauth-protected-resource/docs/mcp";
    expect(metadataUrlOf("https://proofroom.example/docs/mcp")).toBe(url);
    expect([...metadataPaths("https://proofroom.example/docs/mcp")]).toEqual([
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource/docs/mcp",
    ]);
  });
});
