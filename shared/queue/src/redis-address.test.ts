import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { placeOf } from "./redis-address.ts";

describe("an address of Redis", () => {
  it.each([
    ["/run/redis.sock", { path: "/run/redis.sock" }],
    ["redis://queue", { host: "queue", db: 0 }],
    [
      "redis://worker:p%40ss@[::1]:6380/2",
      { host: "::1", port: 6380, username: "worker", password: "p@ss", db: 2 },
    ],
    ["redis://queue?family=6", { host: "queue", db: 0, family: 6 }],
    ["rediss://:secret@queue", { host: "queue", username: "", password: "secret", db: 0, tls: {} }],
  ])("%s", (url, place) => {
    expect(placeOf({ url })).toEqual(place);
  });

  it("names Sentinels, the master, and the user of the server that they name", () => {
    const url = "redis+sentinel://worker:secret@one,two:26380,[::1]:26381/proofroom/3";
    expect(placeOf({ url, sentinel: { password: "other" } })).toEqual({
      sentinels: [
        { host: "one", port: 26_379 },
        { host: "two", port: 26_380 },
        { host: "::1", port: 26_381 },
      ],
      name: "proofroom",
      db: 3,
      username: "worker",
      password: "secret",
      sentinelPassword: "other",
    });
  });

  it("of Sentinels over TLS is over TLS to both, with what is given and nothing undefined", () => {
    const url = "rediss+sentinel://one/proofroom";
    const tls = { ca: "PEM", cert: undefined, key: undefined, servername: undefined };
    expect(placeOf({ url, tls })).toMatchObject({
      tls: { ca: "PEM" },
      sentinelTLS: { ca: "PEM" },
      enableTLSForSentinelMode: true,
    });
    expect(Object.keys(placeOf({ url, tls }).tls ?? {})).toEqual(["ca"]);
  });

  it.each([
    "http://queue",
    "redis+sentinel://one",
    "redis+sentinel://one:x/name",
    "redis://",
    "redis://queue/db",
    "redis://worker:secret@queue:99999",
    "redis://worker:se%cret@queue",
    "redis+sentinel://worker:secret@one/na%me",
    "queue",
  ])("%s is none, and the error shows nothing of it", (url) => {
    let thrown: unknown;
    try {
      placeOf({ url });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "invalid_input" });
    expect(inspect(thrown)).not.toContain("secret");
  });
});
