import { describe, expect, it } from "vitest";
import { askedHost } from "./asked-host.ts";

function asked(url: string, ...hosts: string[]) {
  const rawHeaders = hosts.flatMap((host) => ["Host", host]);
  return askedHost({ url, rawHeaders, headers: hosts[0] === undefined ? {} : { host: hosts[0] } });
}

describe("the host that a request names", () => {
  it.each([
    ["/v1", "LocalHost:8080", { host: "localhost:8080", name: "localhost" }],
    ["/v1", "[::1]:1", { host: "[::1]:1", name: "[::1]" }],
    ["http://127.0.0.1/v1", "127.0.0.1", { host: "127.0.0.1", name: "127.0.0.1" }],
  ])("of %j with %j is %j", (url, host, expected) => {
    expect(asked(url, host)).toEqual(expected);
  });

  it.each([
    ["no host", "/v1"],
    ["two hosts", "/v1", "localhost", "localhost"],
    ["another in its address", "http://evil.example/v1", "localhost"],
    ["user information", "/v1", "evil:80@127.0.0.1"],
    ["a path", "/v1", "127.0.0.1/x"],
    ["a query", "/v1", "localhost?evil"],
    ["no name", "/v1", ":80"],
  ])("is not clear with %s", (_name, url, ...hosts) => {
    expect(asked(url, ...hosts)).toBeNull();
  });
});
