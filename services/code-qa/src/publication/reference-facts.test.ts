import { describe, expect, it } from "vitest";
import { referenceFacts } from "./reference-facts.ts";

const source = {
  id: "S1",
  ref: "https://x.dev/a",
  kind: "web_page" as const,
  title: "A",
  artifact: ".nova/sources/a.json",
  sha256: "0".repeat(64),
  words: 1,
};

describe("what a reference says of its source", () => {
  it("is who made it, its licence, and its other addresses", () => {
    const facts = referenceFacts({
      ...source,
      author: "Ada Byron",
      publisher: "Acme",
      published: "2026-01-02",
      licence: "CC-BY-4.0",
      licence_url: "https://creativecommons.org/licenses/by/4.0/",
      copyright: "© 2026 Acme",
      cite_as: "Byron (2026). A",
      also_at: ["https://y.dev/a"],
    });
    expect(facts?.value).toBe(
      ' <span class="reference-facts">Ada Byron · Acme · 2026-01-02 · licence <a href="https://creativecommons.org/licenses/by/4.0/" rel="noopener noreferrer">CC-BY-4.0</a> · © 2026 Acme · to be cited as: Byron (2026). A</span> <span class="reference-target">also at https://y.dev/a</span>',
    );
  });

  it("is nothing where nothing is known, and the same name only once", () => {
    expect(referenceFacts(source)).toBeNull();
    const once = referenceFacts({ ...source, author: "Acme", publisher: "Acme" });
    expect(once?.value).toBe(' <span class="reference-facts">Acme</span>');
  });

  it("adds no markup, no script and no hidden text", () => {
    const facts = referenceFacts({
      ...source,
      author: "<img src=x onerror=alert(1)>",
      licence: "free\u202Eeerf",
      licence_url: "javascript:alert(1)",
      also_at: ['"><script>', ...Array.from({ length: 9 }, (_, n) => `https://y.dev/${n}`)],
    });
    expect(facts?.value).not.toMatch(/<img|<script|href/);
    expect(facts?.value).toContain("free‹U+202E›eerf");
    expect(facts?.value).toContain(", and 5 more");
  });
});
