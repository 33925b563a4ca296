import type { Failure } from "@proofroom/contracts";
import { makeSource } from "@proofroom/evidence";
import { addressKey } from "./addresses.ts";
import type { Candidate, Imported } from "./candidate.ts";
import { isChatter, withoutChatter } from "./clean-text.ts";
import { findAddresses, type KnownAddresses } from "./find-refs.ts";
import { type ImportFolder, shown } from "./import-folder.ts";
import { type NotEvidence, notEvidence } from "./not-evidence.ts";
import { knownAddresses, type ReferenceTexts, readReferenceTexts } from "./reference-layout.ts";
import { spansOf } from "./source-spans.ts";
import { titleOf } from "./text-outline.ts";

/** A search that had no source gave its own address for one. */
const searchEngine = /^https?:\/\/search\.puter\.com\b/i;

interface Judged {
  candidate: Candidate;
  text: string;
  /** Whether a cleaning model's words were taken out. */
  cleaned: boolean;
  verdict: NotEvidence | null;
}

/** Makes sources of what the reference system left, and failures of what only looks like a source. */
export async function importReference(
  folder: ImportFolder,
  guideline: string,
  signal: AbortSignal,
): Promise<Imported> {
  const texts = await readReferenceTexts(folder, signal);
  const known = await knownAddresses(folder, guideline);
  return sortOut(texts, known, signal);
}

function sortOut(texts: ReferenceTexts, known: KnownAddresses, signal: AbortSignal): Imported {
  const judged = texts.candidates.map((candidate) => {
    signal.throwIfAborted();
    return judge(candidate);
  });
  const evidence = judged.filter(({ verdict }) => verdict === null);
  const isEvidence = new Set(evidence.map(({ candidate }) => candidate));
  const addresses = findAddresses(texts.candidates, known, (candidate) => isEvidence.has(candidate));
  const accepted = withoutExcerpts(evidence, addresses);
  const refs = new Set<string>();
  const imported: Imported = { sources: [], failures: [...texts.failures] };
  for (const { candidate, text, cleaned } of accepted) {
    signal.throwIfAborted();
    const ref = freshRef(candidate, addresses.get(candidate), refs);
    refs.add(ref);
    const spans = spansOf(text, candidate);
    if (spans.length === 0) {
      const verdict: NotEvidence = { code: "no_evidence", holds: "no text that could be cited" };
      imported.failures.push(failureOf(candidate, ref, verdict));
      continue;
    }
    const source = makeSource({
      kind: candidate.kind,
      ref,
      title: titleFor(candidate, text, ref, known),
      text,
      spans,
      provenance: {
        method: "import",
        content_sha256: candidate.original.sha256,
        bytes: candidate.original.bytes,
        media_type: "text/markdown",
        omissions: cleaned ? ["what a model that had cleaned the text said about it"] : [],
      },
    });
    const artifact = `.nova/sources/import-${imported.sources.length + 1}.json`;
    imported.sources.push({ gatherer: candidate.gatherer, artifact, source });
  }
  for (const { candidate, verdict } of judged) {
    if (verdict === null) continue;
    const address = addresses.get(candidate);
    // Where another file (or a search) gave a source for the address, what is missing is this file.
    const ref = address === undefined || refs.has(address) ? shown(candidate.path) : address;
    imported.failures.push(failureOf(candidate, ref, verdict, address));
  }
  return imported;
}

function judge(candidate: Candidate): Judged {
  const { text, removed } = withoutChatter(candidate.text);
  const verdict = refusedResult(candidate) ?? notEvidence(text, candidate.kind);
  return { candidate, text, cleaned: removed, verdict };
}

function refusedResult({ kind, url, isDoubtful }: Candidate): NotEvidence | null {
  if (isDoubtful)
    return {
      code: "no_evidence",
      holds: "a search result whose number does not fit, so that it may be forged",
    };
  const isNameless = kind === "search_result" && (url === undefined || searchEngine.test(url));
  return isNameless ? { code: "no_evidence", holds: "an answer of a search that names no source" } : null;
}

/** What a search quoted of a page adds nothing where the page itself was read. */
function withoutExcerpts(
  accepted: readonly Judged[],
  addresses: ReadonlyMap<Candidate, string>,
): readonly Judged[] {
  const keyOf = ({ candidate }: Judged) => addressKey(addresses.get(candidate) ?? candidate.path);
  const pages = new Set(accepted.filter(({ candidate }) => candidate.kind !== "search_result").map(keyOf));
  return accepted.filter((one) => one.candidate.kind !== "search_result" || !pages.has(keyOf(one)));
}

function freshRef(candidate: Candidate, address: string | undefined, taken: ReadonlySet<string>): string {
  if (address !== undefined && !taken.has(address)) return address;
  const path = shown(candidate.path);
  for (let n = 1; ; n += 1) {
    const ref = n === 1 ? path : `${path}#${n}`;
    if (!taken.has(ref)) return ref;
  }
}

function titleFor(candidate: Candidate, text: string, ref: string, known: KnownAddresses): string {
  const key = addressKey(ref);
  const given = [candidate.title, known.searchTitles.get(key), known.labels.get(key)];
  const stem = shown(isChatter(candidate.stem) ? "" : candidate.stem);
  if (candidate.kind === "repository") {
    const [owner, name] = URL.parse(ref)?.pathname.split("/").filter(Boolean) ?? [];
    return name === undefined ? stem : `${owner}/${name}`;
  }
  if (candidate.kind === "search_result") return titleOf("", stem, given);
  if (candidate.kind === "video") return titleOf(text, stem, [...given, `Video ${stem}`]);
  const isCode = candidate.kind === "document" && !/\.(?:md|markdown|txt)$|#/i.test(candidate.path);
  return isCode ? shown(candidate.path.split("/").at(-1) ?? stem) : titleOf(text, stem, given);
}

function failureOf(
  { gatherer, kind, path }: Candidate,
  ref: string,
  { code, holds }: NotEvidence,
  address = ref,
): Imported["failures"][number] {
  const file = shown(path);
  const failure: Failure = {
    ref,
    kind,
    code,
    message: address === file ? `${file} holds ${holds}.` : `In place of ${address}, ${file} holds ${holds}.`,
    remedy: "To have it, name it in a guideline and gather it again.",
  };
  return { gatherer, failure };
}
