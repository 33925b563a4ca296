import { addressKey, addressOf, domainOf } from "./addresses.ts";
import type { Candidate } from "./candidate.ts";
import { sameSlug, sharedWords, slugOf } from "./slug.ts";
import { titleOf } from "./text-outline.ts";

/** The addresses that a folder speaks of, and the titles that it gives them. */
export interface KnownAddresses {
  /** By what the reference system gathered from each. */
  pages: readonly string[];
  repositories: readonly string[];
  videos: readonly string[];
  scraped: readonly string[];
  /** Titles that the search gave, by `addressKey`. */
  searchTitles: ReadonlyMap<string, string>;
  /** Words of the links in the guideline, by `addressKey`. */
  labels: ReadonlyMap<string, string>;
}

/** What counts for an address being a file's own, and how much is needed. */
const weights = { declared: 1_000, inHead: 200, searchTitle: 300, label: 100, words: 70, anchor: 8 };
const enough = 70;
const head = 500;

const sourceLine =
  /^(?:[-*] )?(?:\*\*)?(?:source(?: url)?|url(?: source)?|canonical(?: url)?|original(?: url)?|link):?(?:\*\*)?:?[ \t]*["'<[(]*(https?:\/\/[^\s>\]"']+)/im;
const skipLink = /\[skip to (?:the )?(?:main )?content\]\((https?:\/\/[^)\s]+)/i;
const failedLine = /^.{0,80}\b(?:error|failed|unable|exception)\b.{0,80}?(https?:\/\/[^\s>\]"']+)/im;

/** The address that a text gives as its own in its first lines, or null. */
function declaredAddress(text: string): string | null {
  const opening = text.split("\n", 15).join("\n");
  const match = sourceLine.exec(opening) ?? skipLink.exec(opening) ?? failedLine.exec(opening.slice(0, head));
  return addressOf(match?.[1] ?? "");
}

/** How well an address fits a text, beside what can be told of each alone. */
function scorer(candidate: Candidate, known: KnownAddresses): (address: string) => number {
  const stem = slugOf(candidate.stem);
  const title = slugOf(titleOf(candidate.text, candidate.stem, []));
  const declared = declaredAddress(candidate.text);
  const declaredKey = declared === null ? null : addressKey(declared);
  const opening = candidate.text.slice(0, head);
  return (address) => {
    const key = addressKey(address);
    const searchTitle = slugOf(known.searchTitles.get(key) ?? "");
    const label = slugOf(known.labels.get(key) ?? "");
    const path = URL.parse(address)?.pathname.split("/") ?? [];
    const lastSegment = slugOf(path.findLast((part) => part !== "") ?? "");
    const anchors = candidate.text.split(`${address}#`, 21).length - 1;
    return (
      (declaredKey === key ? weights.declared : 0) +
      (opening.includes(address) ? weights.inHead : 0) +
      ([stem, title].some((own) => sameSlug(searchTitle, own)) ? weights.searchTitle : 0) +
      (sameSlug(label, stem) ? weights.label : 0) +
      weights.words * (sharedWords(label, stem) + sharedWords(lastSegment, stem)) +
      weights.anchor * anchors
    );
  };
}

/** Gives each page the address that fits it best, each address once. */
function bestPairs(
  candidates: readonly Candidate[],
  addresses: readonly string[],
  known: KnownAddresses,
): Map<Candidate, string> {
  const matched = new Map<Candidate, string>();
  const taken = new Set<string>();
  const pairs = candidates
    .flatMap((candidate) => {
      const score = scorer(candidate, known);
      return addresses.map((address) => ({ candidate, address, score: score(address) }));
    })
    .filter((pair) => pair.score >= enough)
    .sort((a, b) => b.score - a.score);
  for (const { candidate, address } of pairs) {
    if (matched.has(candidate) || taken.has(address)) continue;
    matched.set(candidate, address);
    taken.add(address);
  }
  return matched;
}

/**
 * Evidence chooses first: the notice of a failed fetch must not take the address from the page of a later, good one.
 * What is then left over on both sides belongs together if it speaks of the same site.
 */
function matchPages(
  pages: readonly Candidate[],
  addresses: readonly string[],
  { known, isEvidence }: { known: KnownAddresses; isEvidence: (candidate: Candidate) => boolean },
): Map<Candidate, string> {
  const matched = new Map([
    ...bestPairs(pages.filter(isEvidence), addresses, known),
    ...bestPairs(
      pages.filter((page) => !isEvidence(page)),
      addresses,
      known,
    ),
  ]);
  const taken = new Set(matched.values());
  const [page, ...otherPages] = pages.filter((candidate) => !matched.has(candidate));
  const [address, ...otherAddresses] = addresses.filter((candidate) => !taken.has(candidate));
  const isOnly = otherPages.length === 0 && otherAddresses.length === 0;
  if (isOnly && page !== undefined && address !== undefined && page.text.includes(domainOf(address)))
    matched.set(page, address);
  return matched;
}

function videoAddress(stem: string, videos: readonly string[]): string | null {
  const own = videos.find((address) => {
    const url = URL.parse(address);
    return url?.searchParams.get("v") === stem || url?.pathname.split("/").at(-1) === stem;
  });
  if (own !== undefined) return own;
  return /^[A-Za-z0-9_-]{11}$/.test(stem) ? `https://www.youtube.com/watch?v=${stem}` : null;
}

function repositoryAddress(stem: string, repositories: readonly string[]): string | null {
  return (
    repositories.find((address) => {
      const [owner, name] = URL.parse(address)?.pathname.split("/").filter(Boolean) ?? [];
      return owner !== undefined && `${owner}_${name?.replace(/\.git$/, "")}` === stem;
    }) ?? null
  );
}

/**
 * The addresses that the texts of a folder came from, as far as it shows: by what a text says of itself, by file
 * names (made of titles, of ids of videos, of owner and name), by the links of a page to its own parts.
 */
export function findAddresses(
  candidates: readonly Candidate[],
  known: KnownAddresses,
  isEvidence: (candidate: Candidate) => boolean,
): Map<Candidate, string> {
  const of = (gatherer: Candidate["gatherer"]) =>
    candidates.filter((candidate) => candidate.gatherer === gatherer && candidate.url === undefined);
  const found = new Map<Candidate, string>([
    ...matchPages(of("scrape_and_clean_other_urls"), known.pages, { known, isEvidence }),
    ...matchPages(of("scrape_research_urls"), known.scraped, { known, isEvidence }),
  ]);
  for (const candidate of candidates) {
    if (found.has(candidate)) continue;
    const address = candidate.url ?? addressByKind(candidate, known);
    if (address !== null) found.set(candidate, address);
  }
  return found;
}

function addressByKind(candidate: Candidate, known: KnownAddresses): string | null {
  const declared = declaredAddress(candidate.text);
  switch (candidate.kind) {
    case "video":
      return videoAddress(candidate.stem, known.videos) ?? declared;
    case "repository":
      return repositoryAddress(candidate.stem, known.repositories) ?? declared;
    case "document":
      return null;
    default:
      return declared;
  }
}
