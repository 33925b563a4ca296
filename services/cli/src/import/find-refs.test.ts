import { expect, it } from "vitest";
import type { Candidate } from "./candidate.ts";
import { findAddresses, type KnownAddresses } from "./find-refs.ts";

const nothing: KnownAddresses = {
  pages: [],
  repositories: [],
  videos: [],
  scraped: [],
  searchTitles: new Map(),
  labels: new Map(),
};

function page(stem: string, text: string, more: Partial<Candidate> = {}): Candidate {
  const original = { sha256: "0".repeat(64), bytes: 1 };
  const path = `.nova/urls_from_guidelines/${stem}.md`;
  return { gatherer: "scrape_and_clean_other_urls", kind: "web_page", path, stem, text, original, ...more };
}

function addressesOf(
  candidates: Candidate[],
  known: Partial<KnownAddresses>,
  isEvidence = (_: Candidate) => true,
) {
  const found = findAddresses(candidates, { ...nothing, ...known }, isEvidence);
  return candidates.map((candidate) => found.get(candidate));
}

const pages = ["https://a.example/guide/safe-retries", "https://b.example/guide/deadlines"];

it("matches pages by name, by their links to themselves, and by what they say of their source", () => {
  const named = page("safe-retries", "text");
  const linked = page("x", `[Skip to main content](${pages[1]}#main)`);
  expect(addressesOf([linked, named], { pages })).toEqual([pages[1], pages[0]]);
  expect(addressesOf([page("x", `# T\n\nSource: ${pages[0]}`)], { pages })).toEqual([pages[0]]);
});

it("gives what is left over the address that is left over, if it speaks of its site", () => {
  const known = { pages };
  const named = page("safe-retries", "text");
  expect(addressesOf([named, page("x", "see docs.b.example")], known)).toEqual([pages[0], pages[1]]);
  expect(addressesOf([named, page("x", "nothing of the kind")], known)).toEqual([pages[0], undefined]);
});

it("lets no notice of a failure take the address from a page that was read", () => {
  const failed = page("scraping-failed", `Failed to scrape ${pages[0]}: 500`);
  const good = page("safe-retries", "text");
  const found = addressesOf([failed, good], { pages }, (candidate) => candidate === good);
  expect(found[1]).toBe(pages[0]);
});

it("finds videos by id and repositories by owner and name", () => {
  const video = page("abcdefghijk", "text", { kind: "video", gatherer: "transcribe_youtube_urls" });
  const repository = page("o_r", "text", { kind: "repository", gatherer: "process_github_urls" });
  const known = {
    videos: ["https://youtu.be/abcdefghijk"],
    repositories: ["https://github.com/o/r/tree/main"],
  };
  expect(addressesOf([video, repository], known)).toEqual([known.videos[0], known.repositories[0]]);
  expect(addressesOf([video], {})).toEqual(["https://www.youtube.com/watch?v=abcdefghijk"]);
});

it.each(["http://127.0.0.1/x", "http://user:pw@a.example/", "javascript:alert(1)", "https://localhost/"])(
  "makes no reference of %s",
  (address) => {
    expect(addressesOf([page("x", `Source: ${address}`)], {})).toEqual([undefined]);
  },
);

it("takes an address that a page only speaks of for no address of its own", () => {
  const text = `# T\n\nRead the notes for ${pages[0]} first.\n${"line\n".repeat(20)}Source: ${pages[1]}`;
  expect(addressesOf([page("x", text)], {})).toEqual([undefined]);
});

it("keeps the brackets of an address", () => {
  const address = "https://en.example.org/wiki/Jitter_(networks)";
  expect(addressesOf([page("x", `Source: ${address}`)], {})).toEqual([address]);
});
