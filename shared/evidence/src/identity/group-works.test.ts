import type { Provenance } from "@proofroom/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupWorks } from "./group-works.ts";
import { agreementOf } from "./texts-alike.ts";
import type { WorkCandidate } from "./work-evidence.ts";

interface Page extends WorkCandidate {
  title: string;
  text: string;
}

/** A text of its own, long enough to be compared. */
const textOf = (topic: string) =>
  Array.from({ length: 60 }, (_, n) => `${topic} ${n} holds in case ${n * 7}`).join(". ");

function page(ref: string, text: string, provenance: Partial<Provenance> = {}): Page {
  return { refs: [ref], title: "Title of all", text, head: text.slice(0, 5_000), provenance };
}

const nothing = { title: "", text: "" };

async function grouped(pages: readonly Page[]): Promise<string[][]> {
  const groups = await groupWorks(pages, async (one, other) =>
    agreementOf(pages[one] ?? nothing, pages[other] ?? nothing),
  );
  return groups.map(({ places }) => places.map((place) => pages[place]?.refs[0] ?? ""));
}

const doi = "10.1000/abc";
const paper = textOf("The paper");
const abstract = textOf("The abstract").slice(0, 300);

describe("the same work", () => {
  it("is one from arXiv, PubMed, PMC and the publisher (peers: one paper cited four times)", async () => {
    const pages = [
      page("https://pubmed.ncbi.nlm.nih.gov/123/", abstract, { identifiers: { doi, pmid: "123" } }),
      page("https://arxiv.org/abs/2401.01234v1", abstract, { identifiers: { doi } }),
      page("https://pmc.ncbi.nlm.nih.gov/articles/PMC77/", paper, { identifiers: { pmid: "123" } }),
      page("https://arxiv.org/pdf/2401.01234v3", paper),
      page(`https://doi.org/${doi}`, textOf("As published")),
      page("https://www.alphaxiv.org/abs/2401.01234", abstract, { identifiers: { arxiv: "2401.01234" } }),
      page("https://x.dev/another", textOf("Another")),
    ];
    expect(await grouped(pages)).toEqual([
      pages.slice(0, 6).map(({ refs }) => refs[0]),
      ["https://x.dev/another"],
    ]);
  });

  it.each([
    ["http://www.x.dev/a/?utm_source=n#part", {}],
    ["https://x.dev/amp/a", {}],
    ["https://x.dev/a/amp/", {}],
    ["https://amp.x.dev/a", {}],
    ["https://m.x.dev/a", {}],
    ["https://x.dev/a?print=1", {}],
    ["https://x.dev/a/print", {}],
    ["https://x-dev.cdn.ampproject.org/c/s/x.dev/a", {}],
    ["https://www.google.com/amp/s/x.dev/a/amp", {}],
    ["https://x.dev/2026/old-name", { final_url: "https://x.dev/a" }],
    ["https://x.dev/?p=12", { canonical_url: "https://x.dev/a" }],
  ])("is one where its text is also at %s", async (ref, provenance) => {
    const pages = [page("https://x.dev/a", paper), page(ref, `Menu. ${paper}`, provenance)];
    expect(await grouped(pages)).toHaveLength(1);
  });

  it("is one where a paper states its DOI at its beginning, and a page holds its text", async () => {
    const pages = [
      page("paper.pdf", `A paper\n\nDOI: ${doi}\n\n${paper}`),
      page("https://journal.dev/1", paper, { identifiers: { doi } }),
      page("stamped.pdf", `arXiv:2401.01234v2 [cs.CL] 3 Jan 2024\n\n${textOf("Other")}`),
      page("https://arxiv.org/abs/2401.01234", textOf("Other")),
    ];
    expect(await grouped(pages)).toHaveLength(2);
  });
});

describe("what is not the same work", () => {
  const journal = page("https://journal.dev/1", paper, { identifiers: { doi } });

  it.each([
    ["merely cites it", `A survey\n\n${textOf("The survey")}\n\nReferences\n\nDOI: ${doi}`],
    ["is about it", `A review\n\nDOI: ${doi}\n\n${textOf("The review")}`],
    ["names it in its first sentence", `A post\n\nWe read doi:${doi} here.\n\n${paper}`],
    ["lists many", `DOI: ${doi}\n\nDOI: 10.1000/def\n\n${paper}`],
    ["has its references first", `References\n\nDOI: ${doi}\n\n${paper}`],
  ])("a page that %s", async (_what, text) => {
    expect(await grouped([journal, page("https://blog.dev/p", text)])).toHaveLength(2);
  });

  it("two articles whose canonical address is the home page, or each other's", async () => {
    const home = { canonical_url: "https://x.dev/" };
    const pages = [
      page("https://x.dev/a", textOf("One"), home),
      page("https://x.dev/b", textOf("Two"), home),
      page("https://x.dev/", textOf("Home"), { canonical_url: "https://x.dev/a" }),
    ];
    expect(await grouped(pages)).toHaveLength(3);
  });

  it("two pages of one article", async () => {
    const first = { canonical_url: "https://x.dev/a" };
    const pages = [
      page("https://x.dev/a?page=1", textOf("One"), first),
      page("https://x.dev/a?page=2", textOf("Two"), first),
    ];
    expect(await grouped(pages)).toHaveLength(2);
  });

  it("a page about printing and the page above it", async () => {
    const pages = [
      page("https://x.dev/docs", textOf("Docs")),
      page("https://x.dev/docs/print", textOf("Print")),
    ];
    expect(await grouped(pages)).toHaveLength(2);
  });

  it("two works with DOIs of their own that share whatever else", async () => {
    const pages = [
      page("https://x.dev/a", paper, { identifiers: { doi: "10.1000/a", arxiv: "2401.01234" } }),
      page("https://x.dev/b", paper, {
        identifiers: { doi: "10.1000/b", arxiv: "2401.01234" },
        canonical_url: "https://x.dev/a",
      }),
    ];
    expect(await grouped(pages)).toHaveLength(2);
  });

  it("a page that says it is another work than its address says", async () => {
    const wrong = page(`https://doi.org/${doi}`, textOf("Wrong"), { identifiers: { doi: "10.1000/other" } });
    expect(await grouped([journal, wrong])).toHaveLength(2);
  });

  it("stubs that are alike because they say nothing", async () => {
    const stub = "Please enable cookies to read on.";
    const canonical = { canonical_url: "https://x.dev/" };
    const pages = [page("https://x.dev/a", stub, canonical), page("https://x.dev/b", stub, canonical)];
    expect(await grouped(pages)).toHaveLength(2);
  });
});

describe("a site that has one DOI in all of its pages", () => {
  const identifiers = { doi };
  const pages = ["One", "Two", "Three"].map((topic) =>
    page(`https://x.dev/${topic}`, textOf(topic), { identifiers }),
  );

  it("has as many works as pages, and no other page stands for them", async () => {
    const elsewhere = page(`https://doi.org/${doi}`, paper);
    const many = Array.from({ length: 9 }, (_, n) =>
      page(`https://y.dev/${n}`, textOf("The same on all pages"), { identifiers }),
    );
    expect(await grouped([...pages, elsewhere])).toHaveLength(4);
    expect(await grouped([elsewhere, ...pages.toReversed()])).toHaveLength(4);
    expect(await grouped(many)).toHaveLength(9);
  });

  it("still has a page and its print version as one, which is not called by that DOI", async () => {
    const print = page("https://x.dev/One/print", textOf("One"), { identifiers });
    const works = await groupWorks([...pages, print], async (one, other) =>
      agreementOf([...pages, print][one] ?? nothing, [...pages, print][other] ?? nothing),
    );
    expect(works).toEqual([
      { places: [0, 3], identifiers: {} },
      { places: [1], identifiers: {} },
      { places: [2], identifiers: {} },
    ]);
  });

  it("is told from one that has a paper and its abstract at two addresses, with much around that", async () => {
    const around = textOf("What else is to be read here");
    const both = [
      page("https://journal.dev/1", `${abstract}\n\n${around}`, { identifiers }),
      page("https://journal.dev/1/full", `${abstract}\n\n${paper}`, { identifiers }),
      page(`https://doi.org/${doi}`, textOf("As published")),
    ];
    expect(await grouped(both)).toHaveLength(1);
    const about = {
      ...page("https://journal.dev/about", textOf("About"), { identifiers }),
      title: "About the journal",
    };
    expect(await grouped([...both, about])).toHaveLength(4);
  });

  it("is believed where the address says the same", async () => {
    const named = [
      page(`https://journal.dev/doi/${doi}`, abstract, { identifiers }),
      page(`https://journal.dev/doi/pdf/${doi}`, paper, { identifiers }),
      page("https://journal.dev/about", textOf("About"), { identifiers }),
    ];
    expect(await grouped(named)).toEqual([
      [`https://journal.dev/doi/${doi}`, `https://journal.dev/doi/pdf/${doi}`],
      ["https://journal.dev/about"],
    ]);
  });
});

describe("groups", () => {
  const value = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const anyPage = fc.record({
    name: fc.integer({ min: 0, max: 9 }),
    doi: value("10.1000/a", "10.1000/b"),
    arxiv: value("2401.00001", "2401.00002"),
    canonical: value("https://x.dev/1", "https://x.dev/2", "https://x.dev/"),
    topic: fc.constantFrom("One", "Two"),
  });
  const anyPages = fc.uniqueArray(anyPage, { selector: ({ name }) => name, maxLength: 7 }).map((drawn) =>
    drawn.map(({ name, topic, canonical, ...ids }) => {
      const identifiers = Object.fromEntries(Object.entries(ids).filter(([, one]) => one !== undefined));
      return page(`https://x.dev/${name}`, textOf(topic), {
        identifiers,
        ...(canonical === undefined ? {} : { canonical_url: canonical }),
      });
    }),
  );
  const asSets = (groups: string[][]) => groups.map((group) => group.toSorted().join(" ")).sort();

  it("are the same in whatever order the sources arrive, and hold each source once", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyPages.chain((pages) =>
          fc.tuple(
            fc.constant(pages),
            fc.shuffledSubarray(pages, { minLength: pages.length, maxLength: pages.length }),
          ),
        ),
        async ([pages, shuffled]) => {
          const groups = await grouped(pages);
          expect(asSets(await grouped(shuffled))).toEqual(asSets(groups));
          expect(groups.flat().sort()).toEqual(pages.map(({ refs }) => refs[0]).sort());
        },
      ),
      { numRuns: 150 },
    );
  });

  it("never hold works with different identifiers", async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        for (const group of await grouped(pages)) {
          const members = pages.filter(({ refs }) => group.includes(refs[0] ?? ""));
          for (const name of ["doi", "arxiv"] as const) {
            const ids = new Set(members.flatMap(({ provenance }) => provenance.identifiers?.[name] ?? []));
            expect(ids.size).toBeLessThan(2);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
