import { describe, expect, test } from "vitest";
import { RedirectCookies } from "./redirect-cookies.ts";

function sent(from: string, headers: string[], to: string): string | null {
  const cookies = new RedirectCookies();
  cookies.take(new URL(from), headers);
  return cookies.headerFor(new URL(to));
}

describe("RedirectCookies", () => {
  test("gives a host its own cookies back, the last of each name", () => {
    expect(sent("https://a.dev/x", ["s=1; Path=/; HttpOnly", "t=a=b", "s=2"], "https://a.dev/y")).toBe(
      "s=2; t=a=b",
    );
  });

  test("gives cookies of a domain to the hosts within it, and to no other", () => {
    const header = ["s=1; Domain=.paper.org; Secure"];
    expect(sent("https://idp.paper.org/", header, "https://www.paper.org/")).toBe("s=1");
    expect(sent("https://idp.paper.org/", header, "https://notpaper.org/")).toBeNull();
    expect(sent("https://idp.paper.org/", ["s=1"], "https://www.paper.org/")).toBeNull();
  });

  test("a host cannot set cookies for others, or for a whole top-level domain", () => {
    expect(sent("https://evil.org/", ["s=1; domain=paper.org"], "https://paper.org/")).toBeNull();
    expect(sent("https://evil.org/", ["s=1; domain=org"], "https://paper.org/")).toBeNull();
    expect(sent("https://evil.org/", ["=1", "", "novalue"], "https://evil.org/")).toBeNull();
  });
});
