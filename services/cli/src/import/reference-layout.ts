import { createHash } from "node:crypto";
import { extname } from "node:path";
import {
  guidelineReferencesSchema,
  type SourceKind,
  toProofroomError,
  toPublicError,
} from "@proofroom/contracts";
import { parseGuidelineReferences } from "@proofroom/evidence";
import { addressKey, addressOf } from "./addresses.ts";
import type { Candidate, Gatherer, ImportedFailure } from "./candidate.ts";
import { decodeText } from "./decode-text.ts";
import type { KnownAddresses } from "./find-refs.ts";
import { type ImportFolder, shown, unreadable } from "./import-folder.ts";
import { type ResearchEntry, researchEntries } from "./research-entries.ts";
import { parseSearchBlocks, type SearchBlock, splitAnswer } from "./search-blocks.ts";

/** Where the reference system keeps the texts that it gathered. */
const folders: readonly { under: string; gatherer: Gatherer; kind: SourceKind }[] = [
  { under: ".nova/local_files_from_research", gatherer: "process_local_files", kind: "document" },
  { under: ".nova/urls_from_guidelines", gatherer: "scrape_and_clean_other_urls", kind: "web_page" },
  { under: ".nova/urls_from_guidelines_code", gatherer: "process_github_urls", kind: "repository" },
  { under: ".nova/urls_from_guidelines_youtube_videos", gatherer: "transcribe_youtube_urls", kind: "video" },
  { under: ".nova/urls_from_research", gatherer: "scrape_research_urls", kind: "web_page" },
];
const kindOf = new Map<Gatherer, SourceKind>(folders.map(({ gatherer, kind }) => [gatherer, kind]));

const results = ".nova/perplexity_results.md";
const selected = ".nova/perplexity_results_selected.md";
/** Every scraped page is compared with so many addresses at the most. */
const mostScraped = 500;

export interface ReferenceTexts {
  candidates: Candidate[];
  failures: ImportedFailure[];
}

/**
 * The texts of a folder of the reference system: its gathered files and search results; where there are none of
 * them, the entries of its research.md.
 */
export async function readReferenceTexts(folder: ImportFolder, signal: AbortSignal): Promise<ReferenceTexts> {
  const texts: ReferenceTexts = { candidates: [], failures: [] };
  for (const place of folders) await readPlace(folder, place, texts, signal);
  texts.candidates.push(...(await searchCandidates(folder)));
  if (texts.candidates.length === 0) texts.candidates.push(...(await researchCandidates(folder)));
  return texts;
}

async function readPlace(
  folder: ImportFolder,
  { under, gatherer, kind }: (typeof folders)[number],
  texts: ReferenceTexts,
  signal: AbortSignal,
): Promise<void> {
  const fail = (ref: string, thrown: unknown) => {
    const error = toPublicError(toProofroomError(thrown));
    texts.failures.push({
      gatherer,
      failure: { ref: shown(ref), kind, ...error } as ImportedFailure["failure"],
    });
  };
  let names: string[] = [];
  try {
    names = await folder.names(under);
  } catch (thrown) {
    fail(under, thrown);
  }
  for (const name of names) {
    signal.throwIfAborted();
    const path = `${under}/${name}`;
    if (name.startsWith(".")) continue;
    try {
      const bytes = await folder.read(path);
      if (bytes === null) throw unreadable(path);
      const stem = name.slice(0, name.length - extname(name).length);
      texts.candidates.push(
        candidateOf({ gatherer, kind, path, stem }, decodeText(bytes, shown(path)), bytes),
      );
    } catch (thrown) {
      fail(path, thrown);
    }
  }
}

function candidateOf(
  facts: Pick<Candidate, "gatherer" | "kind" | "path" | "stem">,
  text: string,
  bytes: Uint8Array,
): Candidate {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { ...facts, text, original: { sha256, bytes: bytes.byteLength } };
}

/** A further file of the folder as text; null where it is missing or cannot be read. */
async function optionalText(folder: ImportFolder, path: string): Promise<string | null> {
  try {
    const bytes = await folder.read(path);
    return bytes === null ? null : decodeText(bytes, path);
  } catch {
    return null;
  }
}

async function searchCandidates(folder: ImportFolder): Promise<Candidate[]> {
  const kept = await optionalText(folder, selected);
  const path = kept === null ? results : selected;
  const text = kept ?? (await optionalText(folder, results));
  return text === null ? [] : searchResults(text, path, kept === null ? undefined : await keptIds(folder));
}

async function keptIds(folder: ImportFolder): Promise<ReadonlySet<number> | undefined> {
  const text = await optionalText(folder, ".nova/perplexity_sources_selected.md");
  const ids = text?.match(/\d+/g)?.map(Number) ?? [];
  return ids.length === 0 ? undefined : new Set(ids);
}

/** One candidate per address: what several queries gave for it belongs together. Doubtful blocks stay apart. */
function searchResults(text: string, path: string, kept?: ReadonlySet<number>): Candidate[] {
  const byAddress = new Map<string, SearchBlock[]>();
  for (const block of parseSearchBlocks(text, kept)) {
    const key = `${block.fits} ${addressKey(addressOf(block.address) ?? block.address)}`;
    byAddress.set(key, [...(byAddress.get(key) ?? []), block]);
  }
  return [...byAddress.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [searchCandidate(first, others, path)],
  );
}

function searchCandidate(first: SearchBlock, others: readonly SearchBlock[], path: string): Candidate {
  const answers = new Set([first, ...others].map(({ answer }) => answer));
  const parts = [...answers].map(splitAnswer);
  const body = parts.map((part) => part.body).join("\n\n");
  const title = parts.find((part) => part.title !== null)?.title ?? null;
  const url = addressOf(first.address);
  const facts = {
    gatherer: "run_web_research",
    kind: "search_result",
    path: `${path}#${first.id}`,
    stem: nameOfAddress(first.address),
  } as const;
  return {
    ...candidateOf(facts, body, Buffer.from(body, "utf8")),
    ...(url === null ? {} : { url }),
    ...(title === null ? {} : { title }),
    ...(first.fits ? {} : { isDoubtful: true }),
  };
}

function nameOfAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null) return "Search result";
  const last = url.pathname.split("/").findLast((part) => part !== "");
  return last === undefined ? url.hostname : `${url.hostname}: ${last.replace(/\.\w{1,5}$/, "")}`;
}

async function researchCandidates(folder: ImportFolder): Promise<Candidate[]> {
  const entries = researchEntries((await optionalText(folder, "research.md")) ?? "");
  return [
    ...searchResults(answersOf(entries), "research.md"),
    ...entries.flatMap(({ gatherer, summary, body }, at) => {
      const kind = kindOf.get(gatherer);
      if (kind === undefined) return [];
      const facts = { gatherer, kind, path: `research.md#entry-${at + 1}`, stem: summary.slice(0, 200) };
      return [candidateOf(facts, body, Buffer.from(body, "utf8"))];
    }),
  ];
}

/** The search results of research.md, which it folds by query, as one file of results. */
function answersOf(entries: readonly ResearchEntry[]): string {
  return entries
    .filter(({ gatherer }) => gatherer === "run_web_research")
    .map(({ body }) => `${body.replace(/\n-----\s*$/, "")}\n\n-----\n`)
    .join("\n");
}

async function allSearchBlocks(folder: ImportFolder): Promise<SearchBlock[]> {
  const files = [await optionalText(folder, results), await optionalText(folder, selected)];
  const blocks = files.flatMap((text) => (text === null ? [] : parseSearchBlocks(text)));
  if (blocks.length > 0) return blocks;
  return parseSearchBlocks(answersOf(researchEntries((await optionalText(folder, "research.md")) ?? "")));
}

/** The addresses that the folder names beside its texts. */
export async function knownAddresses(folder: ImportFolder, guideline: string): Promise<KnownAddresses> {
  const listed = listedReferences(await optionalText(folder, ".nova/guidelines_filenames.json"));
  const named = parseGuidelineReferences(guideline);
  const blocks = (await allSearchBlocks(folder)).filter(({ fits }) => fits);
  const scraped = await optionalText(folder, ".nova/urls_to_scrape_from_research.md");
  return {
    pages: unique([...(listed?.other_urls ?? []), ...named.other_urls]),
    repositories: unique([...(listed?.github_urls ?? []), ...named.github_urls, ...named.git_urls]),
    videos: unique([...(listed?.youtube_videos_urls ?? []), ...named.youtube_videos_urls]),
    scraped: unique([...(scraped?.split("\n") ?? []), ...blocks.map(({ address }) => address)]).slice(
      0,
      mostScraped,
    ),
    searchTitles: new Map(
      blocks.flatMap(({ address, answer }) => {
        const { title } = splitAnswer(answer);
        return title === null ? [] : [[addressKey(address), title]];
      }),
    ),
    labels: labelsOf(guideline),
  };
}

function listedReferences(text: string | null) {
  if (text === null) return null;
  try {
    return guidelineReferencesSchema.partial().parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function unique(addresses: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const written of addresses) {
    const address = addressOf(written);
    if (address !== null && !byKey.has(addressKey(address))) byKey.set(addressKey(address), address);
  }
  return [...byKey.values()];
}

function labelsOf(guideline: string): Map<string, string> {
  const labels = new Map<string, string>();
  for (const [, label = "", address = ""] of guideline.matchAll(
    /\[([^\]\n]{3,200})\]\(<?(https?:[^)>\s]+)/g,
  )) {
    const known = addressOf(address);
    if (known !== null && !/^https?:/i.test(label)) labels.set(addressKey(known), label);
  }
  return labels;
}
