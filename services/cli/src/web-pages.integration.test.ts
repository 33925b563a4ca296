import { setTimeout as pause } from "node:timers/promises";
import { scrapeAndCleanOtherUrls } from "@proofroom/contracts";
import {
  eventually,
  type FakeProvider,
  fakeFirecrawl,
  firecrawlError,
  type Script,
  type ScriptedAnswer,
  startFakeProvider,
} from "@proofroom/testing";
import { afterEach, describe, expect, it } from "vitest";
import { openResearchHost, type ResearchHost } from "./testing/research-host.ts";

const prose =
  "A client that repeats a failed request at once makes an outage worse, so it waits, and it waits longer each time. ".repeat(
    4,
  );
const html = (title: string, more = "") =>
  `<!doctype html><html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${prose}</p>${more}</main></body></html>`;
const page = (body: string, type = "text/html; charset=utf-8") => ({
  headers: { "content-type": type },
  body,
});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function fake(script: Script): Promise<FakeProvider> {
  const started = await startFakeProvider(script);
  closers.push(() => started.close());
  return started;
}

/** The research service with a site that it may fetch from. */
async function host(site: FakeProvider, env: Record<string, string> = {}): Promise<ResearchHost> {
  const opened = await openResearchHost({
    PROOFROOM_ALLOW_HOSTS: new URL(site.base).host,
    PROOFROOM_CHROMIUM: "off",
    ...env,
  });
  closers.push(() => opened.close());
  return opened;
}

const linked = (...urls: string[]) =>
  `# Retries\n\n## Sources\n\n${urls.map((url) => `- <${url}>\n`).join("")}`;
const scrapes = (firecrawl: FakeProvider) => firecrawl.requests.filter(({ path }) => path === "/v2/scrape");

describe("scrape_and_clean_other_urls with Firecrawl", { timeout: 60_000 }, () => {
  it("fetches pages through it, and holds what it returns to the same rules as pages fetched here", async () => {
    const site = await fake(() => page(html("Not asked")));
    const at = (name: string) => `${site.base}/${name}`;
    const firecrawl = await fake(
      fakeFirecrawl({
        [at("a")]: { html: html("Page A"), title: "Page A", markdown: "# other" },
        [at("pdf")]: { markdown: `${prose}\n`, title: "A paper", contentType: "application/pdf" },
        [at("challenge")]: { html: "<title>Just a moment...</title><p>Verifying you are human.</p>" },
        [at("gone")]: { html: html("x"), status: 404 },
        [at("short")]: { markdown: "Nothing here.", contentType: "text/plain" },
        [at("moved")]: { html: html("Moved"), url: "http://169.254.169.254/latest/" },
      }),
    );
    const { gather } = await host(site, { FIRECRAWL_API_URL: firecrawl.base });
    const names = ["a", "pdf", "challenge", "gone", "short", "moved"];
    const { read, failures } = await gather(linked(...names.map(at)), scrapeAndCleanOtherUrls);
    expect(read.map(({ title, provenance: { method, note } }) => [title, method, note])).toEqual([
      ["Page A", "firecrawl", undefined],
      ["A paper", "firecrawl", undefined],
    ]);
    expect(read.map(({ text }) => text.includes(prose.trim()))).toEqual([true, true]);
    expect(failures.map(({ ref, code }) => [new URL(ref).pathname, code])).toEqual([
      ["/challenge", "unreachable"],
      ["/gone", "not_found"],
      ["/short", "no_evidence"],
      ["/moved", "private_address"],
    ]);
    expect(site.requests).toEqual([]);
  });

  it("waits as long as it asks and then has the page", async () => {
    const site = await fake(() => undefined);
    const known = fakeFirecrawl({ [`${site.base}/a`]: { html: html("Page A") } });
    let asked = 0;
    const firecrawl = await fake((request) => {
      asked += 1;
      return asked === 1
        ? firecrawlError(429, "Rate limit exceeded", { "retry-after": "1" })
        : known(request);
    });
    const { gather } = await host(site, { FIRECRAWL_API_URL: firecrawl.base });
    const { read, failures } = await gather(linked(`${site.base}/a`), scrapeAndCleanOtherUrls);
    expect(failures).toEqual([]);
    expect(read[0]?.provenance).toMatchObject({ method: "firecrawl" });
    expect(scrapes(firecrawl)).toHaveLength(2);
  });

  it.each([
    ["the credit is used up", () => firecrawlError(402, "Insufficient credits"), "used up (status 402)", 2],
    ["the key is refused", () => firecrawlError(401, "Unauthorized"), "refused the key", 2],
    ["it is away", () => ({ cut: "at_once" as const }), "could not be reached", 4],
  ] as const)("where %s pages are fetched from here, and say why", async (_name, answer, why, most) => {
    const site = await fake(({ path }) => (path === "/robots.txt" ? undefined : page(html(`Page ${path}`))));
    const firecrawl = await fake(answer);
    const { gather } = await host(site, {
      FIRECRAWL_API_URL: firecrawl.base,
      FIRECRAWL_API_KEY: "fc-canary",
    });
    const urls = [`${site.base}/a`, `${site.base}/b`];
    const { read, failures } = await gather(linked(...urls), scrapeAndCleanOtherUrls);
    expect(failures).toEqual([]);
    expect(read.map(({ provenance }) => provenance.method)).toEqual(["http", "http"]);
    for (const { provenance } of read) expect(provenance.note).toContain(why);
    expect(scrapes(firecrawl).length).toBeLessThanOrEqual(most);
    expect(JSON.stringify(read)).not.toContain("canary");
  });

  it("is named with the reason where a page cannot be fetched from here either", async () => {
    const site = await fake(() => undefined);
    const firecrawl = await fake(() => firecrawlError(402, "Insufficient credits"));
    const { gather } = await host(site, { FIRECRAWL_API_URL: firecrawl.base });
    const { failures } = await gather(linked(`${site.base}/gone`), scrapeAndCleanOtherUrls);
    expect(failures).toMatchObject([{ code: "not_found", message: expect.stringContaining("status 402") }]);
  });

  it("is not told of private addresses", async () => {
    const site = await fake(() => page(html("x")));
    const firecrawl = await fake(fakeFirecrawl({}));
    const { gather } = await host(await fake(() => undefined), { FIRECRAWL_API_URL: firecrawl.base });
    const { failures } = await gather(linked(`${site.base}/a`), scrapeAndCleanOtherUrls);
    expect(failures).toEqual([]);
    expect([...firecrawl.requests, ...site.requests]).toEqual([]);
  });
});

const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">more</a>`).join(" ");
const pathsOf = (refs: { ref: string }[]) => refs.map(({ ref }) => new URL(ref).pathname);

describe("a guideline that asks for a site", { timeout: 60_000 }, () => {
  it("gets its pages by their links, nearest first, within its path, three links deep, by the rules of its robots.txt", async () => {
    const pages: Record<string, string> = {
      "/guide/": html(
        "Start",
        links("b", "a#x", "/other", "logo.png", "a", "secret/x", "gone", "https://x.dev/guide/"),
      ),
      "/guide/a": html("A", links("c")),
      "/guide/b": html("B", links("../guide/", "d")),
      "/guide/c": html("C", links("e")),
      "/guide/d": html("D"),
      "/guide/e": html("E", links("f")),
      "/guide/f": html("F"),
      "/other": html("Other"),
    };
    const robots = "User-agent: Proofroom\nDisallow: /guide/secret/\n\nUser-agent: *\nDisallow: /\n";
    const site = await fake(({ path }) => {
      if (path === "/robots.txt") return { body: robots };
      const body = pages[path];
      return body === undefined ? undefined : page(body);
    });
    const { gather } = await host(site);
    const { sources, failures, read } = await gather(linked(`${site.base}/guide/*`), scrapeAndCleanOtherUrls);
    expect(pathsOf(sources)).toEqual(["/guide/", "/guide/b", "/guide/a", "/guide/d", "/guide/c", "/guide/e"]);
    expect(read.map(({ title }) => title)).toEqual(["Start", "B", "A", "D", "C", "E"]);
    expect(failures.map(({ ref, code, message }) => [new URL(ref).pathname, code, message])).toEqual([
      ["/guide/gone", "not_found", expect.any(String)],
      [
        "/guide/secret/x",
        "refused",
        expect.stringContaining("/guide/secret/x is one that the site's robots.txt"),
      ],
    ]);
    const asked = new Set(site.requests.map(({ path }) => path));
    expect([...asked].filter((path) => /secret|other|logo|\/f$/.test(path))).toEqual([]);
  });

  it("fetches each of its pages once, whoever names them, and counts what was had over the network", async () => {
    const pages: Record<string, string> = {
      "/": html("Start", links("/a", "/b", "/gone", "/empty")),
      "/a": html("A", links("/c")),
      "/b": html("B"),
      "/c": html("C"),
      "/empty": "<html></html>",
    };
    const site = await fake(({ path }) => {
      const body = pages[path];
      return body === undefined ? undefined : page(body);
    });
    const { gather } = await host(site);
    const {
      read,
      failures,
      pages: counted,
    } = await gather(linked(`${site.base}/b`, `${site.base}/*`), scrapeAndCleanOtherUrls);
    expect(read.map(({ title }) => title)).toEqual(["B", "Start", "A", "C"]);
    expect(failures.map(({ code }) => code)).toEqual(["not_found", "no_evidence"]);
    const asked = site.requests.map(({ path }) => path).filter((path) => path in pages);
    expect(asked.toSorted()).toEqual(Object.keys(pages).toSorted());
    expect(counted).toBe(asked.length);
  });

  it("is told of what goes beyond the limit", async () => {
    const site = await fake(({ path }) =>
      path === "/robots.txt" ? undefined : page(html(`Page ${path}`, links("/a", "/b", "/c", "/d"))),
    );
    const { gather } = await host(site, { PROOFROOM_SITE_PAGES: "3" });
    const { sources, failures, notes } = await gather(
      linked(`${site.base}/**`, `${site.base}/a`),
      scrapeAndCleanOtherUrls,
    );
    expect(pathsOf(sources)).toEqual(["/", "/a", "/b"]);
    expect(failures).toEqual([]);
    expect(notes).toMatchObject([{ ref: `${site.base}/**`, message: expect.stringContaining("At least 5") }]);
  });

  it("gets the pages of Firecrawl's map in a certain order, and of its crawl where the map knows none", async () => {
    const site = await fake(() => undefined);
    const at = (path: string) => `${site.base}${path}`;
    const known = Object.fromEntries(
      ["/guide/z/deep", "/guide/b", "/elsewhere", "/guide/", "/guide/a"].map((path) => [
        at(path),
        { html: html(`Page ${path}`) },
      ]),
    );
    const inOrder = ["/guide/", "/guide/a", "/guide/b", "/guide/z/deep"];
    for (const mapped of [Object.keys(known), [at("/guide/")]]) {
      const firecrawl = await fake(fakeFirecrawl(known, mapped));
      const { gather } = await host(site, { FIRECRAWL_API_URL: firecrawl.base });
      const { sources, read, failures } = await gather(linked(at("/guide/*")), scrapeAndCleanOtherUrls);
      expect(failures).toEqual([]);
      expect(pathsOf(sources)).toEqual(inOrder);
      expect(new Set(read.map(({ provenance }) => provenance.method))).toEqual(new Set(["firecrawl"]));
      const crawls = firecrawl.requests.filter(
        ({ method, path }) => method === "POST" && path === "/v2/crawl",
      );
      expect(crawls).toHaveLength(mapped.length === 1 ? 1 : 0);
    }
    expect(site.requests).toEqual([]);
  });

  it("that cannot be had is a failure, and the other sources go on", async () => {
    const site = await fake(({ path }) => (path === "/a" ? page(html("A")) : undefined));
    const { gather } = await host(site);
    const { sources, failures } = await gather(
      linked(`${site.base}/none/*`, `${site.base}/a`),
      scrapeAndCleanOtherUrls,
    );
    expect(pathsOf(sources)).toEqual(["/a"]);
    expect(failures).toMatchObject([{ ref: `${site.base}/none/*`, code: "not_found" }]);
  });
});

describe("scrape_and_clean_other_urls from this machine", { timeout: 60_000 }, () => {
  const app = `<html><head><title>App</title></head><body><div id="root"></div><script>
    document.getElementById("root").innerHTML = "<article><h1>App</h1><p>${prose}</p></article>";</script></body></html>`;

  it("shows a page that needs JavaScript in the Chromium of the PATH, and obeys robots.txt", async () => {
    const site = await fake(({ path }) => {
      if (path === "/robots.txt") return { body: "User-agent: *\nDisallow: /kept\n" };
      return page(path === "/app" ? app : html("Kept"));
    });
    const urls = [`${site.base}/app`, `${site.base}/kept`];
    const { gather } = await host(site, { PROOFROOM_CHROMIUM: "", PATH: process.env["PATH"] ?? "" });
    const { read, failures } = await gather(linked(...urls), scrapeAndCleanOtherUrls);
    expect(read).toMatchObject([{ title: "App", provenance: { method: "browser" } }]);
    expect(failures).toMatchObject([
      { ref: urls[1], code: "refused", message: expect.stringContaining(`${urls[1]} is one`) },
    ]);
  });

  it("names the settings where there is no Chromium, and leaves robots.txt alone where it is told to", async () => {
    const site = await fake(({ path }) => {
      if (path === "/robots.txt") return { body: "User-agent: *\nDisallow: /\n" };
      return page(path === "/app" ? app : html("Kept"));
    });
    const { gather } = await host(site, { PROOFROOM_ROBOTS: "off" });
    const urls = [`${site.base}/app`, `${site.base}/kept`];
    const { read, failures } = await gather(linked(...urls), scrapeAndCleanOtherUrls);
    expect(read).toMatchObject([{ title: "Kept", provenance: { method: "http" } }]);
    expect(failures).toMatchObject([{ ref: urls[0], remedy: expect.stringContaining("PROOFROOM_CHROMIUM") }]);
    expect(site.requests.map(({ path }) => path)).not.toContain("/robots.txt");
  });
});

describe("a time limit for pages", { timeout: 60_000 }, () => {
  it("holds as it is set (MAX_DURATION=600 without effect)", async () => {
    const site = await fake(({ path }) =>
      path === "/silent" ? { after: new Promise(() => {}) } : path === "/a" ? page(html("A")) : undefined,
    );
    const { gather } = await host(site, { PROOFROOM_FETCH_TIMEOUT: "0.3" });
    const { read, failures } = await gather(
      linked(`${site.base}/silent`, `${site.base}/a`),
      scrapeAndCleanOtherUrls,
    );
    expect(read.map(({ title }) => title)).toEqual(["A"]);
    expect(failures).toMatchObject([{ ref: `${site.base}/silent`, code: "timeout" }]);
  });
});

/** An answer that takes so long that whatever is asked at the same time is asked meanwhile. */
const slowly = (answer: ScriptedAnswer): ScriptedAnswer => ({ ...answer, after: pause(30) });

describe("many pages of one host", { timeout: 60_000 }, () => {
  it.each([
    ["an empty page", () => page("<html></html>")],
    ["status 429", () => ({ status: 429 })],
  ])(
    "are all had where it answers more than two requests at a time with %s (four at once → 111 of 156 empty)",
    async (_what, tooMany) => {
      const paths = Array.from({ length: 12 }, (_, n) => `/page-${n}`);
      const site = await fake(async ({ path }) => {
        if (!paths.includes(path)) return undefined;
        if (site.open.now > 2) return tooMany();
        return slowly(page(html(`Page ${path}`)));
      });
      const { gather } = await host(site);
      const { read, failures } = await gather(
        linked(...paths.map((path) => `${site.base}${path}`)),
        scrapeAndCleanOtherUrls,
      );
      expect(failures).toEqual([]);
      expect(read.map(({ title }) => title)).toEqual(paths.map((path) => `Page ${path}`));
      expect(site.open.most).toBeLessThanOrEqual(2);
    },
  );

  it("are asked for one at a time once it has had enough, after the pause that it asks for, and all are had", async () => {
    const paths = Array.from({ length: 6 }, (_, n) => `/page-${n}`);
    let refused = 0;
    const site = await fake(async ({ path }) => {
      if (!paths.includes(path)) return undefined;
      if (site.open.now > 1) {
        refused += 1;
        return { status: 429, headers: { "retry-after": "1" } };
      }
      return slowly(page(html(`Page ${path}`)));
    });
    const { gather } = await host(site);
    const { read, failures } = await gather(
      linked(...paths.map((path) => `${site.base}${path}`)),
      scrapeAndCleanOtherUrls,
    );
    expect(failures).toEqual([]);
    expect(read).toHaveLength(6);
    expect(refused).toBeLessThanOrEqual(1);
  });

  it("that does not answer leave room for those of others", async () => {
    const answering = Promise.withResolvers<void>();
    const site = await fake(({ path }) => (path === "/robots.txt" ? undefined : page(html(`Page ${path}`))));
    const silent = await fake(({ path }) =>
      path === "/robots.txt" ? undefined : { ...page(html(`Late ${path}`)), after: answering.promise },
    );
    const { gather } = await host(site, {
      PROOFROOM_ALLOW_HOSTS: [silent, site].map(({ base }) => new URL(base).host).join(","),
    });
    const late = Array.from({ length: 8 }, (_, n) => `${silent.base}/${n}`);
    const gathering = gather(linked(...late, `${site.base}/a`), scrapeAndCleanOtherUrls);
    await Promise.race([gathering, eventually(() => site.requests.some(({ path }) => path === "/a"))]);
    await eventually(() => silent.open.now === 2);
    answering.resolve();
    expect(await gathering).toMatchObject({ failures: [], sources: { length: 9 } });
  });
});
