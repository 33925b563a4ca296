import { describe, expect, test } from "vitest";
import { parseHtml } from "./html-document.ts";
import { dateOf, pageFacts } from "./page-facts.ts";

const url = "https://x.dev/a/page";

function facts(head: string, body = "", at: string | null = url) {
  return pageFacts(parseHtml(`<html><head>${head}</head><body>${body}</body></html>`), at);
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`;
const jsonLd = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const by = "https://creativecommons.org/licenses/by/4.0/";
const bySa = "https://creativecommons.org/licenses/by-sa/4.0/";

describe("the licence of a page", () => {
  test.each([
    ["a link in its head", `<link rel="license" href="${by}">`, "", "CC-BY-4.0", by],
    [
      "a link to terms of its own",
      '<link rel="license" href="/terms">',
      "",
      "https://x.dev/terms",
      "https://x.dev/terms",
    ],
    ["metadata", meta("dcterms.license", by), "", "CC-BY-4.0", by],
    ["rights in words", meta("DC.rights", " CC0 "), "", "CC0-1.0", undefined],
    ["words that are no id", meta("license", "Free for\nschools"), "", "Free for schools", undefined],
    ["linked data", jsonLd({ "@type": "Article", license: by }), "", "CC-BY-4.0", by],
    [
      "linked data with a name",
      jsonLd({
        "@type": "Dataset",
        license: { "@type": "CreativeWork", name: "MIT", url: "https://x.dev/l" },
      }),
      "",
      "MIT",
      "https://x.dev/l",
    ],
    ["a marked link", "", `<a rel="nofollow license" href="${by}">CC</a>`, "CC-BY-4.0", by],
    ["its footer", "", `<footer>Under <a href="${bySa}">CC BY-SA 4.0</a></footer>`, "CC-BY-SA-4.0", bySa],
    [
      "its footer, in the version of a country",
      "",
      '<div class="site-footer"><a href="https://creativecommons.org/licenses/by/3.0/de/">CC BY 3.0 Deutschland</a></div>',
      "CC BY 3.0 Deutschland",
      "https://creativecommons.org/licenses/by/3.0/de/",
    ],
  ])("is found in %s", (_where, head, body, licence, licence_url) => {
    const found = facts(head, body);
    expect([found.licence, found.licence_url]).toEqual([licence, licence_url]);
  });

  test.each([
    ["a link to Creative Commons in its text", "", `<p>See <a href="${by}">this licence</a>.</p>`],
    [
      "licences of several pictures",
      "",
      `<a rel="license" href="${by}">1</a><a rel="license" href="${bySa}">2</a>`,
    ],
    [
      "the home page of Creative Commons",
      "",
      '<footer><a href="https://creativecommons.org/">CC</a></footer>',
    ],
    ["an address that is none", '<link rel="license" href="javascript:alert(1)">', ""],
    ["what it cites", jsonLd({ "@type": "Article", citation: { "@type": "Article", license: by } }), ""],
    ["a notice of copyright", meta("dc.rights", "© 2026 Acme. All rights reserved."), ""],
  ])("is not taken from %s", (_where, head, body) => {
    const found = facts(head, body);
    expect([found.licence, found.licence_url]).toEqual([undefined, undefined]);
  });

  test("of a saved page is not looked for where nobody knows", () => {
    expect(
      facts('<link rel="license" href="/terms"><link rel="canonical" href="https://x.dev/a">', "", null),
    ).toEqual({});
  });
});

describe("who made a page", () => {
  test("is told by scholarly metadata before anything else", () => {
    const head = [
      meta("author", "web team"),
      meta("citation_author", "Byron, Ada"),
      meta("citation_author", "李四"),
      meta("citation_journal_title", "Journal of Waits"),
      meta("citation_publisher", "Acme"),
      meta("citation_publication_date", "2026/1/2"),
      meta("copyright", "© 2026 &lt;b&gt;Acme"),
    ].join("");
    expect(facts(head)).toEqual({
      author: "Ada Byron, 李四",
      publisher: "Journal of Waits",
      published: "2026-01-02",
      copyright: "© 2026 <b>Acme",
    });
  });

  test("is told by linked data: of a list, and through references within the page", () => {
    const graph = {
      "@graph": [
        { "@type": "WebPage", author: { name: "Not she" } },
        { "@type": "Person", "@id": "#ada", name: "Ada Byron" },
        { "@type": "Organization", "@id": "#acme", name: "Acme" },
        {
          "@type": ["BlogPosting"],
          author: [{ "@id": "#ada" }, { "@type": "Person", name: "Bo" }, "Cy"],
          publisher: { "@id": "#acme" },
          copyrightHolder: { "@id": "#acme" },
          copyrightYear: 2026,
          datePublished: "2026-01-02T03:04:05Z",
          comment: { "@type": "Comment", author: { name: "A reader" } },
        },
      ],
    };
    expect(facts(jsonLd(graph))).toEqual({
      author: "Ada Byron, Bo, Cy",
      publisher: "Acme",
      published: "2026-01-02",
      copyright: "© 2026 Acme",
    });
  });

  test("is not taken from one of several articles, and broken data is passed over", () => {
    const two = [1, 2].map((n) => ({ "@type": "NewsArticle", author: { name: `Author ${n}` } }));
    const head = `${jsonLd(two)}<script type="application/ld+json">{"@type":</script>${jsonLd("x")}${jsonLd([null, [1]])}`;
    expect(facts(head + meta("og:site_name", "Acme News"))).toEqual({ publisher: "Acme News" });
  });

  test("an address is no author, and long words are cut", () => {
    const { author, publisher } = facts(
      meta("author", "https://x.dev/me") + meta("dc.publisher", "p ".repeat(200)),
    );
    expect(author).toBeUndefined();
    expect(publisher?.length).toBeLessThanOrEqual(120);
  });

  test.each([
    ["2026-01-02T03:04:05+01:00", "2026-01-02"],
    ["2026/1", "2026-01"],
    ["2026", "2026"],
    ["2 January 2026", "2 January 2026"],
    ["20260102", "20260102"],
  ])("the date %s is %s", (text, date) => {
    expect(dateOf(text)).toBe(date);
  });
});

describe("which work a page is", () => {
  const doi = "10.1000/abc";

  test.each([
    [meta("citation_doi", "https://doi.org/10.1000/ABC") + meta("DC.identifier", `doi:${doi}`), { doi }],
    [
      meta("citation_arxiv_id", "2401.01234v2") + meta("citation_doi", "10.48550/arXiv.2401.01234"),
      { arxiv: "2401.01234" },
    ],
    [meta("citation_pmid", "123") + meta("citation_doi", doi), { pmid: "123", doi }],
    [
      jsonLd({ "@type": "ScholarlyArticle", identifier: [{ "@type": "PropertyValue", value: doi }, "x"] }),
      { doi },
    ],
  ])("%s", (head, identifiers) => {
    expect(facts(head).identifiers).toEqual(identifiers);
  });

  test.each([
    ["what it cites", meta("citation_reference", `citation_title=A;citation_doi=${doi}`)],
    ["several", meta("citation_doi", doi) + meta("citation_doi", "10.1000/def")],
    ["a number of a journal", meta("dc.identifier", "1234-5678")],
    [
      "what a post is about",
      jsonLd({
        "@type": "BlogPosting",
        about: { "@type": "ScholarlyArticle", identifier: doi },
        sameAs: doi,
      }),
    ],
  ])("is not told by %s", (_what, head) => {
    expect(facts(head).identifiers).toBeUndefined();
  });

  test.each([
    ['<link rel="canonical" href="/a/page?id=1#top">', "https://x.dev/a/page?id=1"],
    ['<meta property="og:url" content="https://www.x.dev/a">', "https://www.x.dev/a"],
    ['<link rel="canonical" href="https://x.dev/">', undefined],
    ['<link rel="canonical" href="https://other.dev/a">', undefined],
    ['<link rel="canonical" href="javascript:alert(1)">', undefined],
  ])("%s names it as %s", (head, canonical) => {
    expect(facts(head).canonical_url).toBe(canonical);
  });
});
