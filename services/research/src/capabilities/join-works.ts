import {
  type Identifiers,
  type Provenance,
  type Source,
  type SourceKind,
  sourceSchema,
} from "@proofroom/contracts";
import { addressOfWork, agreementOf, groupWorks, type WorkCandidate } from "@proofroom/evidence";
import type { StepContext } from "@proofroom/runtime";
import { type CorpusEntry, type GatheredCorpus, sourceId } from "./corpus-index.ts";

/** What can be a copy or a version of one text. A repository is not the paper that it belongs to. */
const texts: ReadonlySet<SourceKind> = new Set(["document", "web_page", "search_result"]);
/** Characters of a text that can state what it is. */
const headLength = 5_000;

interface Version extends WorkCandidate {
  entry: CorpusEntry;
  provenance: Provenance;
  /** Characters of text. */
  length: number;
}

/**
 * The corpus with each work once, whatever addresses led to it: the version with the most text, under the address by which
 * the work is best known (its DOI, then arXiv, else the first that was asked for). The others are kept as its addresses, and
 * lend it their title and authors where it names none. A licence is that of one version, so it is not lent.
 */
export async function joinWorks(
  corpus: GatheredCorpus,
  { artifacts, signal }: Pick<StepContext, "artifacts" | "signal">,
): Promise<GatheredCorpus> {
  const read = ({ source }: CorpusEntry): Promise<Source> =>
    artifacts.readJson(source.artifact, sourceSchema);
  const versions: Version[] = [];
  for (const entry of corpus.entries.filter(({ source }) => texts.has(source.kind))) {
    signal.throwIfAborted();
    const { provenance, text } = await read(entry);
    const refs = [entry.ref, ...entry.alsoAt];
    versions.push({ entry, refs, provenance, head: text.slice(0, headLength), length: text.length });
  }
  const textAt = async (place: number) => {
    const version = versions[place];
    return version === undefined ? { title: "", text: "" } : read(version.entry);
  };
  const groups = await groupWorks(versions, async (one, other) => {
    signal.throwIfAborted();
    return agreementOf(await textAt(one), await textAt(other));
  });
  const workOf = new Map<CorpusEntry, CorpusEntry | null>();
  for (const { places, identifiers } of groups) {
    const same = places.flatMap((place) => versions[place] ?? []);
    same.forEach(({ entry }, at) => {
      workOf.set(entry, at === 0 ? asOne(same, identifiers) : null);
    });
  }
  const entries = corpus.entries.flatMap((entry) => {
    const work = workOf.get(entry);
    if (work === null) return [];
    return work ?? entry;
  });
  const listed = new Set(entries.map(({ ref }) => ref));
  return {
    entries: entries.map((entry, at) => ({ ...entry, id: sourceId(at) })),
    failures: corpus.failures.filter(({ ref }) => !listed.has(ref)),
    notes: corpus.notes,
  };
}

/** What a search shows of a work is less than any page of it. */
function asOne(same: readonly Version[], identifiers: Identifiers): CorpusEntry | null {
  const weight = ({ entry, length }: Version) => (entry.source.kind === "search_result" ? 0 : 1 + length);
  const [best] = same.toSorted((one, other) => weight(other) - weight(one));
  if (best === undefined || same.length === 1) return best?.entry ?? null;
  const refs = [...new Set(same.flatMap((one) => one.refs))];
  const ref = addressOfWork(identifiers) ?? refs[0] ?? best.entry.ref;
  const { title } = ([best, ...same].find(({ entry }) => !isFileName(entry.source.title)) ?? best).entry
    .source;
  const author = [best, ...same].find(({ provenance }) => provenance.author !== undefined)?.provenance.author;
  return {
    ...best.entry,
    ref,
    source: { ...best.entry.source, title },
    alsoAt: refs.filter((other) => other !== ref),
    ...(author === undefined ? {} : { author }),
  };
}

/** What a document is called that has no title. */
function isFileName(title: string): boolean {
  return /^\S+\.[a-z0-9]{1,5}$/i.test(title);
}
