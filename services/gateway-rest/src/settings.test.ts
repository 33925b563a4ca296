import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

const places = { cwd: "/somewhere", checkout: "/checkout" };
const hash = "a".repeat(64);
const other = "b".repeat(64);

describe("the settings", () => {
  it("listen on loopback, open, on the checkout's home where nothing is set", () => {
    expect(readSettings({}, places)).toMatchObject({
      home: "/checkout/.proofroom",
      store: { store: { kind: "file", folder: "/checkout/.proofroom" } },
      redis: undefined,
      port: 8_080,
      auth: { keys: [], host: "127.0.0.1", ratePerSecond: 50 },
    });
  });

  it("take keys by their hashes, and paths as the user means them", () => {
    const settings = readSettings(
      {
        PROOFROOM_API_KEYS: ` ${hash.toUpperCase()}, docs-team:${other},`,
        PROOFROOM_REST_HOST: "0.0.0.0",
        PROOFROOM_REST_ALLOWED_HOSTS: "API.example, 10.0.0.9",
        PROOFROOM_STORE: "file:rooms",
        INIT_CWD: "/user",
      },
      places,
    );
    expect(settings.auth).toMatchObject({
      keys: [
        { tenant: "default", sha256: hash },
        { tenant: "docs-team", sha256: other },
      ],
      host: "0.0.0.0",
      allowedHosts: ["api.example", "10.0.0.9"],
    });
    expect(settings.store.store).toEqual({ kind: "file", folder: "/user/rooms" });
  });

  it("take operators' keys, of which none may be a tenant's", () => {
    const of = (keys: string) =>
      readSettings({ PROOFROOM_API_KEYS: hash, PROOFROOM_OPERATOR_KEYS: keys }, places).auth.operatorKeys;
    expect(of(other)).toEqual([other]);
    expect(() => of(`${other},${hash.toUpperCase()}`)).toThrow("PROOFROOM_OPERATOR_KEYS");
  });

  it.each([
    ["PROOFROOM_API_KEYS", "hunter2"],
    ["PROOFROOM_OPERATOR_KEYS", "hunter2"],
    ["PROOFROOM_REST_PORT", "hunter2"],
    ["PROOFROOM_REST_PORT", "70000"],
    ["PROOFROOM_REST_ALLOWED_HOSTS", "https://hunter2"],
    ["PROOFROOM_RATE", "0"],
  ])("name an unusable %s and never show it", (variable, value) => {
    const read = () => readSettings({ [variable]: value }, places);
    expect(read).toThrow(variable);
    expect(read).not.toThrow(value === "0" ? "hunter2" : value);
  });
});
