import { describe, expect, it } from "vitest";
import { allowedHosts } from "./allowed-hosts.ts";
import { createHostCheck } from "./host-check.ts";

function checker(options: Partial<Parameters<typeof createHostCheck>[0]>) {
  const faultOf = createHostCheck({ host: "127.0.0.1", allowedHosts: [], localPages: false, ...options });
  return (host: string, origin?: string) => {
    const headers = origin === undefined ? { host } : { host, origin };
    return faultOf({ url: "/v1", rawHeaders: ["Host", host], headers });
  };
}

describe("on loopback", () => {
  it.each([
    ["localhost:8080", undefined, null],
    ["[::1]:8080", undefined, null],
    ["evil.example", undefined, "host"],
    ["localhost.evil.example", undefined, "host"],
    ["localhost/x", undefined, "unclear"],
    ["localhost:8080", "http://localhost:8080", null],
    ["localhost:8080", "http://localhost:3000", "origin"],
    ["localhost:8080", "https://evil.example", "origin"],
    ["localhost:8080", "null", "origin"],
  ])("a request to %j from %j has the fault %j", (host, origin, fault) => {
    expect(checker({})(host, origin)).toBe(fault);
  });

  it("pages of this machine may ask at any port where that is said", () => {
    const faultOf = checker({ localPages: true });
    expect(faultOf("localhost:8080", "http://127.0.0.1:3000")).toBeNull();
    expect(faultOf("localhost:8080", "https://evil.example")).toBe("origin");
  });

  it("a name that was set is answered to, as behind a proxy on the machine, and its pages may ask", () => {
    const faultOf = checker({ allowedHosts: ["api.example"] });
    expect(faultOf("API.example")).toBeNull();
    expect(faultOf("api.example:443", "https://api.example")).toBeNull();
    expect(faultOf("localhost:8080", "https://api.example")).toBeNull();
    expect(faultOf("localhost:8080")).toBeNull();
    expect(faultOf("other.example")).toBe("host");
    expect(faultOf("api.example", "https://other.example")).toBe("origin");
    expect(faultOf("api.example", "https://api.example.evil.example")).toBe("origin");
  });
});

describe("beyond loopback", () => {
  it("any name is answered to where none was set, since nobody knows it", () => {
    expect(checker({ host: "0.0.0.0" })("anything.example", "https://anything.example")).toBeNull();
    expect(checker({ host: "0.0.0.0" })("a b")).toBe("unclear");
  });

  it("pages of other machines never may where those of this one may", () => {
    const faultOf = checker({ host: "0.0.0.0", localPages: true });
    expect(faultOf("anything.example", "https://anything.example")).toBe("origin");
    expect(faultOf("anything.example", "http://localhost:3000")).toBeNull();
  });

  it("host and origin are checked where names were set", () => {
    const faultOf = checker({ host: "0.0.0.0", allowedHosts: ["api.example"] });
    expect(faultOf("api.example", "https://api.example")).toBeNull();
    expect(faultOf("localhost:8080")).toBeNull();
    expect(faultOf("10.0.0.9:8080")).toBe("host");
    expect(faultOf("api.example", "https://evil.example")).toBe("origin");
  });
});

describe("the names that are set", () => {
  it("are read as they are compared", () => {
    expect(allowedHosts.parse(" API.example, 10.0.0.9 ,[::2],")).toEqual([
      "api.example",
      "10.0.0.9",
      "[::2]",
    ]);
    expect(allowedHosts.parse("")).toEqual([]);
  });

  it.each(["api.example:443", "https://api.example", "a b", "a/b", "*"])("are refused as %j", (text) => {
    expect(allowedHosts.safeParse(text).success).toBe(false);
  });
});
