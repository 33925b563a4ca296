import { createHash } from "node:crypto";
import type { SnippetResult } from "@proofroom/contracts";
import { type DefaultTreeAdapterTypes as Dom, defaultTreeAdapter as dom, parse } from "parse5";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleArticle, sampleInput } from "./fixtures/sample-input.ts";
import type { PageInput } from "./page-input.ts";
import { renderPage } from "./render-page.ts";

interface Page {
  source: string;
  elements: Dom.Element[];
  errors: string[];
}

async function pageOf(overrides: Partial<PageInput> = {}): Promise<Page> {
  const source = await renderPage(sampleInput(overrides));
  const errors: string[] = [];
  const document = parse(source, {
    onParseError: (error) => errors.push(`${error.code} at ${error.startLine}`),
  });
  const elements: Dom.Element[] = [];
  const walk = (node: Dom.ParentNode) => {
    for (const child of node.childNodes) {
      if (!dom.isElementNode(child)) continue;
      elements.push(child);
      walk(child);
    }
  };
  walk(document);
  return { source, elements, errors };
}

const attribute = (node: Dom.Element, name: string) => node.attrs.find((one) => one.name === name)?.value;

function textOf(node: Dom.ChildNode): string {
  if (dom.isTextNode(node)) return node.value;
  return dom.isElementNode(node) ? node.childNodes.map(textOf).join("") : "";
}

function having(page: Page, tag: string, className?: string): Dom.Element[] {
  return page.elements.filter(
    (node) =>
      node.tagName === tag &&
      (className === undefined || (attribute(node, "class") ?? "").split(" ").includes(className)),
  );
}

const texts = (nodes: Dom.Element[]) => nodes.map((node) => textOf(node).replace(/\s+/g, " ").trim());

const badges = (page: Page) =>
  texts(
    having(page, "figcaption", "code-head")
      .flatMap((head) => head.childNodes.filter(dom.isElementNode))
      .filter((node) => (attribute(node, "class") ?? "").startsWith("badge")),
  );

function resultsWith(change: Partial<SnippetResult>): SnippetResult[] {
  return sampleInput().results.map((result) => (result.index === 1 ? { ...result, ...change } : result));
}

// The parsers, grammars and themes are loaded at first use; no single test should pay for that.
beforeAll(async () => {
  await renderPage(sampleInput());
});

describe("the page as a document", () => {
  it("is HTML without parse errors, with language, title, one h1 and landmarks", async () => {
    const page = await pageOf();
    expect(page.errors).toEqual([]);
    expect(attribute(having(page, "html")[0] as Dom.Element, "lang")).toBe("en");
    expect(texts(having(page, "title"))).toEqual(["Draft: Retrying without making things worse"]);
    for (const tag of ["h1", "header", "main", "nav", "footer", "article"])
      expect(having(page, tag)).toHaveLength(1);
    expect(having(page, "button").every((button) => attribute(button, "type") === "button")).toBe(true);
  });

  it("has unique ids, an id on every heading of the text, and no link to a place that is not there", async () => {
    const page = await pageOf();
    const ids = page.elements.flatMap((node) => attribute(node, "id") ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const heading of page.elements.filter((node) => /^h[1-6]$/.test(node.tagName))) {
      expect(attribute(heading, "id")).toBeTruthy();
    }
    const places = having(page, "a")
      .flatMap((link) => attribute(link, "href") ?? [])
      .filter((href) => href.startsWith("#"));
    expect(places.length).toBeGreaterThan(8);
    for (const place of places) expect(ids).toContain(decodeURIComponent(place.slice(1)));
  });

  it("allows exactly its own script and fetches nothing", async () => {
    const page = await pageOf();
    const scripts = having(page, "script");
    expect(scripts).toHaveLength(1);
    const hash = createHash("sha256")
      .update(textOf(scripts[0] as Dom.Element), "utf8")
      .digest("base64");
    const policy = having(page, "meta").find(
      (node) => attribute(node, "http-equiv") === "Content-Security-Policy",
    );
    expect(attribute(policy as Dom.Element, "content")).toContain(
      `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${hash}'`,
    );
    for (const tag of ["link", "iframe", "object", "img", "video", "form", "base"])
      expect(having(page, tag)).toEqual([]);
    expect(page.elements.flatMap((node) => node.attrs).filter(({ name }) => /^on|^src/.test(name))).toEqual(
      [],
    );
    expect(texts(having(page, "style"))[0]).not.toMatch(/url\(|@import|@font-face/);
  });

  it("differs between runs only in the colophon's run and date", async () => {
    const other = {
      ...sampleInput().colophon,
      run_id: "run_01JDZK4T8Q3V5W7X9Y1B2C3D4F",
      created_at: "2027-01-01T00:00:00Z",
    };
    const strip = (source: string) =>
      source
        .replace(/<code class="colophon-run">[^<]*<\/code>/, "")
        .replace(/<time class="colophon-date"[^>]*>[^<]*<\/time>/, "");
    const [one, two] = [(await pageOf()).source, (await pageOf({ colophon: other })).source];
    expect(one).not.toBe(two);
    expect(strip(one)).toBe(strip(two));
  });

  it("gives an article without a heading a title", async () => {
    const page = await pageOf({ article: "Only text.\n", results: [], manifest: null, citations: null });
    expect(texts(having(page, "h1"))).toEqual(["Untitled article"]);
    expect(page.errors).toEqual([]);
  });
});

describe("the status banner", () => {
  it("says DRAFT with every reason, or approved", async () => {
    const draft = texts(having(await pageOf(), "header"))[0];
    expect(draft).toMatch(/^Draft This article has not been approved\./);
    for (const reason of sampleInput().reasons) expect(draft).toContain(reason);
    const page = await pageOf({ status: "approved", reasons: [] });
    expect(texts(having(page, "header"))[0]).toMatch(/^Approved This article passed its checks\./);
    expect(texts(having(page, "title"))[0]).not.toContain("Draft");
    expect(texts(having(page, "header"))[0]).toContain(
      "1 of 3 cited sentences supported by their sources, 1 not verified",
    );
  });
});

describe("code blocks", () => {
  it("carry an honest badge each", async () => {
    expect(badges(await pageOf())).toEqual([
      "ran, exit 0",
      "failed, exit 1: it raised an error",
      "not run: it tried to use the network, which the sandbox does not allow",
      "not run: no sandbox was available",
    ]);
    expect(badges(await pageOf({ results: [] }))).toEqual(["not run", "not run", "not run", "not run"]);
    expect(badges(await pageOf({ results: resultsWith({ run: "timeout", reason: "time_limit" }) }))[0]).toBe(
      "timed out",
    );
  });

  it("take no credit, and show no output, from a run of other code", async () => {
    const page = await pageOf({ results: resultsWith({ sha256: "0".repeat(64) }) });
    expect(badges(page)[0]).toBe("not run: changed since it was checked");
    expect(having(page, "details", "output")).toHaveLength(1);
  });

  it("show what the run wrote, without terminal sequences and with direction changes made visible", async () => {
    const page = await pageOf({
      results: resultsWith({ stdout: "\u001b[31mred\u001b[0m\r\n\u202eevil\u0007 <b>\n" }),
    });
    expect(texts(having(page, "samp"))[0]).toBe("red ‹U+202E›evil <b>");
  });

  it("show no more than the beginning of a long output, and say so", async () => {
    const page = await pageOf({ results: resultsWith({ stdout: "line\n".repeat(5_000) }) });
    const output = having(page, "details", "output")[0] as Dom.Element;
    expect(textOf(output).split("\n").length).toBeLessThan(210);
    expect(textOf(output)).toContain("only its beginning is kept");
  });

  it("warn of characters that make code read differently from what it does", async () => {
    const article = "# T\n\n```py\nx = 1 # \u202e\n```\n";
    expect(badges(await pageOf({ article, results: [], manifest: null }))).toEqual([
      "holds invisible characters",
      "not run",
    ]);
  });
});

describe("the references", () => {
  it("stand once, in the page's own form, with the quoted evidence, its place and the verdict", async () => {
    const page = await pageOf();
    expect(texts(having(page, "h2")).filter((text) => text === "References")).toHaveLength(1);
    expect(texts(having(page, "h2"))).not.toContain("Table of Contents");
    const items = page.elements.filter((node) => /^ref-\d+$/.test(attribute(node, "id") ?? ""));
    expect(items.map((item) => attribute(item, "value"))).toEqual(["1", "2", "3"]);
    const [first, second, third] = texts(items);
    expect(first).toContain("When all clients back off by the same amount, their calls come back together.");
    expect(first).toContain("“Adding jitter › Waves”");
    expect(first).not.toContain("A budget keeps the waves small");
    expect(second).toContain("docs/handbook.md, lines 12–14");
    expect(second).toContain("uncertain");
    expect(third).toContain("at 12:34");
    expect(third).toContain(
      "not supported Ten percent of all requests is a common choice. The source does not hold the number 10.",
    );
    const links = items
      .flatMap((item) => item.childNodes)
      .filter(dom.isElementNode)
      .flatMap((node) => node.childNodes);
    expect(links.filter(dom.isElementNode).flatMap((node) => attribute(node, "href") ?? [])).toEqual([
      "https://example.org/backoff?a=1&b=2",
      "https://example.org/budgets",
    ]);
  });

  it("come from the article where no citation was checked, and the page says so", async () => {
    const page = await pageOf({ citations: null });
    const items = page.elements.filter((node) => /^ref-\d+$/.test(attribute(node, "id") ?? ""));
    expect(texts(items)).toEqual([
      "Exponential backoff and jitter web page https://example.org/backoff?a=1&b=2",
      "Client handbook document docs/handbook.md",
      "Retry budgets video https://example.org/budgets",
    ]);
    expect(texts(having(page, "section", "references"))[0]).toContain("have not been checked");
    expect(texts(having(page, "footer"))[0]).toContain("Citationsnot checked");
  });
});

describe("the colophon", () => {
  it("says who wrote it, what was checked and what could not be had", async () => {
    const footer = texts(having(await pageOf(), "footer"))[0];
    for (const part of [
      "extractive: sentences taken from the sources, no model wrote this",
      "3 cited sentences, 1 supported by their sources, 1 uncertain, 1 not supported, 1 more without a citation",
      "4 blocks, 1 ran, 1 failed, 2 not run",
      "https://example.org/gone: The server answered 404.",
      createHash("sha256").update(sampleArticle, "utf8").digest("hex"),
      "2026-02-03 04:05 UTC",
    ]) {
      expect(footer).toContain(part);
    }
  });
});

describe("hostile input", () => {
  const evil = `"><img src=x onerror=alert(1)></style></script><script>alert(1)</script>`;

  it("stays text wherever it comes from", async () => {
    const input = sampleInput();
    const citations = structuredClone(input.citations) as NonNullable<PageInput["citations"]>;
    for (const reference of citations.references)
      Object.assign(reference, { title: evil, ref: `javascript:${evil}` });
    for (const citation of citations.citations) {
      citation.sentence = evil;
      citation.reasons = [evil];
      for (const one of citation.evidence)
        Object.assign(one, { quote: evil, locator: { file: evil, headings: [evil] } });
    }
    const page = await pageOf({
      article: `# ${evil}\n\n## ${evil}\n\n${evil}\n\n\`\`\`py title="${evil.replaceAll('"', "")}"\n${evil}\n\`\`\`\n\n## B\n`,
      reasons: [evil],
      citations,
      results: [],
      manifest: null,
      sources: {
        v: 1,
        sources: [],
        failures: [{ ref: evil, kind: "web_page", code: "internal", message: evil }],
      },
      colophon: { ...input.colophon, run_id: evil, created_at: evil, written_by: [evil] },
    });
    expect(page.errors).toEqual([]);
    expect(having(page, "script")).toHaveLength(1);
    expect(having(page, "style")).toHaveLength(1);
    expect(having(page, "img")).toEqual([]);
    expect(page.elements.flatMap((node) => node.attrs).filter(({ name }) => name.startsWith("on"))).toEqual(
      [],
    );
    expect(
      page.elements
        .flatMap((node) => attribute(node, "href") ?? [])
        .filter((href) => !/^(https?:|#)/.test(href)),
    ).toEqual([]);
  });
});
