import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

describe("the settings of the service", () => {
  it("are loopback and no keys where nothing is set", () => {
    expect(readSettings({})).toMatchObject({ host: "127.0.0.1", port: 8081, apiKeys: [], allowedHosts: [] });
  });

  it("take hashes of keys only: a key itself is refused and not shown", () => {
    const hash = "A".repeat(64);
    expect(readSettings({ PROOFROOM_API_KEYS: `${hash}, ${hash}` }).apiKeys).toEqual([
      "a".repeat(64),
      "a".repeat(64),
    ]);
    expect(() => readSettings({ PROOFROOM_API_KEYS: "sk-secret" })).toThrow(
      /^PROOFROOM_API_KEYS: (?!.*secret)/,
    );
  });

  it.each(["0x50", "70000", "-1", "http"])("refuse the port %s", (port) => {
    expect(() => readSettings({ PROOFROOM_MCP_PORT: port })).toThrow(/^PROOFROOM_MCP_PORT/);
  });
});
