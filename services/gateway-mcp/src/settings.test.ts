import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

const places = { cwd: "/user", checkout: "/checkout" };

describe("the settings of the service", () => {
  it("are loopback and no keys where nothing is set", () => {
    expect(readSettings({}, places)).toMatchObject({
      host: "127.0.0.1",
      port: 8081,
      apiKeys: [],
      allowedHosts: [],
      store: { kind: "file", folder: "/checkout/.proofroom" },
    });
  });

  it("take who may come in: keys with their tenants, an authorization server, and how much of each", () => {
    const env = {
      PROOFROOM_API_KEYS: `${"A".repeat(64)}, docs:${"b".repeat(64)}`,
      PROOFROOM_RATE: "5",
      PROOFROOM_MCP_ALLOWED_HOSTS: "gateway.example",
      PROOFROOM_OAUTH_ISSUER: "https://as.example",
      PROOFROOM_OAUTH_AUDIENCE: "https://proofroom.example/mcp",
    };
    const settings = readSettings(env, places);
    expect(settings).toMatchObject({
      apiKeys: [
        { tenant: "default", sha256: "a".repeat(64) },
        { tenant: "docs", sha256: "b".repeat(64) },
      ],
      ratePerSecond: 5,
      allowedHosts: ["gateway.example"],
      oauth: { issuer: "https://as.example", audience: "https://proofroom.example/mcp" },
    });
  });

  it("refuse a key itself, and do not show it", () => {
    expect(() => readSettings({ PROOFROOM_API_KEYS: "sk-secret" }, places)).toThrow(
      /^PROOFROOM_API_KEYS: (?!.*secret)/,
    );
  });

  it.each(["0x50", "70000", "-1", "http"])("refuse the port %s", (port) => {
    expect(() => readSettings({ PROOFROOM_MCP_PORT: port }, places)).toThrow(/^PROOFROOM_MCP_PORT/);
  });
});
