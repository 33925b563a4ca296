import { setImmediate as yieldToOthers } from "node:timers/promises";
import { sha256Of } from "@proofroom/artifacts";
import type { Citation, CitationReport, Evidence, Source, SourceIndex } from "@proofroom/contracts";
import { type Claim, codeClaim, isTooLong, prepareClaim } from "./claim.ts";
import { examine, type Finding } from "./examine.ts";
import { judge } from "./judge.ts";
import { type ListedReference, parseReferences } from "./references.ts";
import { indexSource, passageAt, type SourceLookup } from "./source-index.ts";
import { readStatements, type Statement } from "./statements.ts";
import { contentOf } from "./support.ts";
import { tokenize } from "./tokens.ts";

export interface VerifyInput {
  /** article.md, with numbered markers and a list of references. */
  article: string;
  index: SourceIndex;
  /** The stored sources by id; asked only for those that are cited, one at a time. */
  corpus: { get(id: string): Source | undefined | Promise<Source | undefined> };
  signal?: AbortSignal;
}

/** Evidence that shares less than this with the sentence would only mislead. */
const worthShowing = 0.2;

/**
 * Looks every cited sentence of an article up in the sources that it cites and gives a verdict on each:
 * `supported` (word for word, or in other order and form, but each clause within one sentence of the source that has
 * all its words, numbers and bounds), `unsupported` (a quotation or figure that is not there, the opposite, or nothing
 * alike), `uncertain` (in between: a person or a model should look), `unresolved` (the marker leads to no intact
 * stored source). Sentences that state something and cite nothing are listed. Deterministic; no model is asked. Each
 * source is indexed once.
 */
export async function verifyArticle({
  article,
  index,
  corpus,
  signal,
}: VerifyInput): Promise<CitationReport> {
  const references = parseReferences(article, index);
  const statements = readStatements(article);
  const cited = statements.filter(({ numbers, ids }) => numbers.length + ids.length > 0);
  const failedRefs = new Set(index.failures.map(({ ref }) => ref));
  const hashes = new Map(index.sources.map(({ id, sha256 }) => [id, sha256]));
  const resolver = resolveWith(references, corpus, failedRefs, hashes);

  const claims: Resolved[] = [];
  for (const statement of cited) claims.push({ statement, ...(await resolveAll(statement, resolver)) });
  const results = await examineBySource(claims, signal);
  const citations = claims.map(({ statement, problems }, at): Citation => {
    const { claim, found } = results[at] ?? { claim: prepareClaim(""), found: [] };
    const judgement = judge(
      claim,
      found.map(({ finding }) => finding),
    );
    const base = {
      sentence: statement.sentence,
      line: statement.line,
      section: statement.section,
      numbers: statement.numbers,
      evidence: found
        .filter(({ finding }) => finding.exact !== null || finding.features.recall >= worthShowing)
        .flatMap(({ evidence }) => evidence)
        .sort((a, b) => b.score - a.score),
    };
    return problems.length > 0
      ? { ...base, verdict: "unresolved", reasons: problems }
      : { ...base, verdict: judgement.verdict, reasons: judgement.reasons };
  });
  const uncited = statements
    .filter(({ claim, numbers, ids }) => claim && numbers.length + ids.length === 0)
    .map(({ sentence, line, section }) => ({ sentence, line, section }));
  const count = (verdict: Citation["verdict"]) =>
    citations.filter((citation) => citation.verdict === verdict).length;
  return {
    v: 1,
    article_sha256: sha256Of(article),
    references,
    citations,
    uncited,
    summary: {
      sentences: statements.length,
      cited: citations.length,
      supported: count("supported"),
      uncertain: count("uncertain"),
      unsupported: count("unsupported"),
      unresolved: count("unresolved"),
      uncited: uncited.length,
    },
  };
}

type Resolution = { source: Source; id: string } | { problem: string };
type Resolver = (number: number) => Promise<Resolution>;

function resolveWith(
  references: readonly ListedReference[],
  corpus: VerifyInput["corpus"],
  failedRefs: ReadonlySet<string>,
  hashes: ReadonlyMap<string, string>,
): Resolver {
  const known = new Map<number, Resolution>();
  const resolve: Resolver = async (number) => {
    const reference = references.find((entry) => entry.number === number);
    if (reference === undefined) return { problem: `There is no reference [${number}].` };
    if (reference.source_id === null) {
      return {
        problem: failedRefs.has(reference.ref)
          ? `What reference [${number}] names could not be obtained, so it is no evidence.`
          : `Reference [${number}] names no stored source.`,
      };
    }
    const source = await corpus.get(reference.source_id);
    if (source === undefined) return { problem: `The text of reference [${number}] is not stored.` };
    const hash = sha256Of(source.text);
    if (hash !== source.sha256 || hash !== hashes.get(reference.source_id)) {
      return { problem: `The stored evidence of reference [${number}] was altered.` };
    }
    return { source, id: reference.source_id };
  };
  return async (number) => {
    const found = known.get(number) ?? (await resolve(number));
    known.set(number, found);
    return found;
  };
}

interface Resolved {
  statement: Statement;
  sources: { source: Source; id: string }[];
  problems: string[];
}

async function resolveAll(statement: Statement, resolve: Resolver): Promise<Omit<Resolved, "statement">> {
  const problems = statement.ids.map((id) => `The marker [${id}] was never turned into a number.`);
  const sources = new Map<string, Source>();
  for (const number of statement.numbers) {
    const found = await resolve(number);
    if ("problem" in found) problems.push(found.problem);
    else sources.set(found.id, found.source);
  }
  return { problems, sources: [...sources].map(([id, source]) => ({ id, source })) };
}

interface Examined {
  claim: Claim;
  found: { finding: Finding; evidence: Evidence[] }[];
}

/**
 * Goes source by source, so that the index of one is dropped before the next is built, and lets others run in
 * between: a worker whose event loop stands still loses its job.
 */
async function examineBySource(claims: readonly Resolved[], signal?: AbortSignal): Promise<Examined[]> {
  const results = claims.map(
    ({ statement }): Examined => ({ claim: prepareClaim(statement.sentence), found: [] }),
  );
  const citing = new Map<string, { source: Source; claims: number[] }>();
  for (const [at, { sources }] of claims.entries()) {
    for (const { id, source } of sources) {
      const entry = citing.get(id) ?? { source, claims: [] };
      entry.claims.push(at);
      citing.set(id, entry);
    }
  }
  for (const [id, { source, claims: positions }] of citing) {
    await yieldToOthers(undefined, signal === undefined ? {} : { signal });
    const lookup = indexSource(source);
    for (const position of positions) {
      const result = results[position];
      const statement = claims[position]?.statement;
      if (result === undefined || statement === undefined) continue;
      if (statement.code !== null && onlyNames(result.claim, source))
        result.claim = codeClaim(statement.code);
      if (isTooLong(result.claim)) continue;
      const finding = examine(result.claim, lookup);
      result.found.push({ finding, evidence: evidenceOf(id, finding, lookup) });
    }
  }
  return results;
}

/** `From the retry guide [1]:` above a block of code says where the code is from, and nothing else. */
function onlyNames(claim: Claim, source: Source): boolean {
  const title = new Set(
    tokenize(`${source.title} ${source.ref} source code example`).map(({ stem }) => stem),
  );
  return contentOf(claim.tokens).every(({ stem }) => title.has(stem));
}

function evidenceOf(sourceId: string, finding: Finding, lookup: SourceLookup): Evidence[] {
  const run = finding.exact ?? finding.window;
  if (run === null) return [];
  const start = lookup.tokens[run.from]?.start ?? 0;
  const end = sentenceEnd(lookup, lookup.tokens[run.to - 1]?.end ?? start);
  const quote = lookup.source.text.slice(start, end);
  const span = lookup.spans[lookup.passages[passageAt(lookup, run.from)]?.span ?? 0];
  return [
    {
      source_id: sourceId,
      start,
      end,
      sha256: sha256Of(quote),
      quote,
      locator: span?.locator ?? {},
      score: finding.exact === null ? Math.min(0.99, finding.probability) : finding.exactInDoubt ? 0.5 : 1,
    },
  ];
}

/** Takes the punctuation that closes a sentence into its quote. */
function sentenceEnd(lookup: SourceLookup, end: number): number {
  const closing = /^[.!?…。！？)\]"'”’»%]+/.exec(lookup.source.text.slice(end, end + 4))?.[0] ?? "";
  return end + closing.length;
}
