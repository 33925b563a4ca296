import { describe, expect, test } from "vitest";
import { FoundPages, siteOf } from "./site.ts";

describe("the address of a site", () => {
  test.each([
    "https://docs.example.com/guide",
    "https://docs.example.com/guide*",
    "https://docs.example.com/*/guide",
    "https://docs.example.com/guide/*?q=1",
    "ftp://docs.example.com/*",
    "guide/*",
  ])("%s is none", (ref) => {
    expect(siteOf(ref)).toBeNull();
  });

  test.each(["https://docs.example.com/guide/*", "https://docs.example.com/guide/**"])("%s is one", (ref) => {
    expect(siteOf(ref)?.start.href).toBe("https://docs.example.com/guide/");
  });
});

describe("the pages of a site", () => {
  const site = siteOf("https://docs.example.com/guide/*");

  test.each([
    ["https://docs.example.com/guide/a#part", "https://docs.example.com/guide/a"],
    ["http://docs.example.com/guide/a/b.html", "https://docs.example.com/guide/a/b.html"],
    ["https://docs.example.com/guide", "https://docs.example.com/guide"],
    ["https://docs.example.com/guide/paper.pdf", "https://docs.example.com/guide/paper.pdf"],
    ["https://docs.example.com/guidelines", null],
    ["https://docs.example.com/guide/../secret", null],
    ["https://docs.example.com:8443/guide/a", null],
    ["https://evil.example.com/guide/a", null],
    ["https://docs.example.com/guide/a?print=1", null],
    ["https://docs.example.com/guide/logo.svg", null],
    ["https://user:secret@docs.example.com/guide/a", null],
    ["javascript:alert(1)", null],
  ])("%s is %s", (address, page) => {
    expect(site?.pageAt(address)).toBe(page);
  });

  test("count once with and without a slash, and no further than the limit", () => {
    const found = new FoundPages(2);
    expect(["/a/", "/a", "/b", "/a/", "/c", "/d", "/c/"].map((page) => found.add(page))).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(found).toMatchObject({ all: ["/a/", "/b"], isFull: true, more: true, seen: 4 });
  });
});
