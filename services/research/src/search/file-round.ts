import {
  type CapabilityName,
  type Gathered,
  gatheredArtifact,
  gatheredSchema,
  type Source,
} from "@proofroom/contracts";
import type { StepArtifacts } from "@proofroom/runtime";
import { candidateSource, candidatesOf, standing } from "./candidates.ts";
import { resultsMarkdown } from "./results-markdown.ts";
import { type Round, roundArtifact, roundSchema, sourceArtifact } from "./round.ts";

const folder = ".nova/searches/";
const results = ".nova/perplexity_results.md";

/** All rounds of a run. @throws ProofroomError invalid_input where one does not have its form any more */
export async function readRounds(
  artifacts: StepArtifacts,
  names: readonly string[],
  own?: Round,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (const name of names) {
    // What a step writes itself it does not see.
    const isOwn = own !== undefined && name === roundArtifact(own);
    const round = isOwn ? own : await artifacts.tryReadJson(name, roundSchema);
    if (round !== null) rounds.push(round);
  }
  return rounds;
}

export function roundNames(artifacts: StepArtifacts): Promise<string[]> {
  return artifacts.list(folder);
}

/**
 * Files a round: first by itself, under a name that no other call writes, then in what is made of all rounds: a source
 * for each page, the list of the capability's sources and failures, and the results for people. Calls may run at
 * the same time and none sees what another has just made of all: so each looks again when it has written, and makes
 * everything anew where a round has come. Whoever writes last has seen all.
 */
export async function fileRound(artifacts: StepArtifacts, round: Round): Promise<void> {
  await artifacts.writeJson(roundArtifact(round), round);
  let names = await roundNames(artifacts);
  for (;;) {
    await writeMerged(artifacts, round, await readRounds(artifacts, names, round));
    const now = await roundNames(artifacts);
    if (now.join("\n") === names.join("\n")) return;
    names = now;
  }
}

async function writeMerged(artifacts: StepArtifacts, own: Round, rounds: readonly Round[]): Promise<void> {
  const capability = own.capability as CapabilityName;
  const ownKeys = new Set(own.found.map(({ key }) => key));
  const ofCapability = rounds.filter((round) => round.capability === capability);
  const name = gatheredArtifact(capability);
  const known = await artifacts.tryReadJson(name, gatheredSchema);
  // What a person has taken out of the list does not come back with what others find.
  const listed = (await artifacts.hasPersons(name)) ? new Set(known?.sources.map(({ ref }) => ref)) : null;
  const sources: Gathered["sources"] = [];
  for (const candidate of candidatesOf(ofCapability)) {
    const source = candidateSource(candidate);
    const isOwn = ownKeys.has(candidate.key);
    if (source === null || !(isOwn || (listed?.has(source.ref) ?? true))) continue;
    const artifact = sourceArtifact(capability, candidate.key);
    if (isOwn) await artifacts.writeJson(artifact, source);
    sources.push(entryOf(source, artifact, candidate.queries));
  }
  const others = fromElsewhere(known, ofCapability, sources);
  const answered = new Set(standing(ofCapability).flatMap(({ found }) => found.map(({ query }) => query)));
  const failures = standing(ofCapability)
    .flatMap((round) => round.failures)
    .filter(({ ref }) => !answered.has(ref));
  await artifacts.writeJson(name, {
    v: 1,
    sources: [...others.sources, ...sources],
    failures: [...others.failures, ...failures],
  } satisfies Gathered);
  await artifacts.writeText(results, resultsMarkdown(candidatesOf(rounds)));
}

function entryOf({ ref, kind, title, sha256 }: Source, artifact: string, queries: string[]) {
  return { ref, kind, title, artifact, sha256, queries };
}

/** What the list holds that no round has found, as an import leaves it: it stays. */
function fromElsewhere(
  known: Gathered | null,
  rounds: readonly Round[],
  sources: Gathered["sources"],
): Pick<Gathered, "sources" | "failures"> {
  const refs = new Set(sources.map(({ ref }) => ref));
  const made = new Set(
    rounds.flatMap(({ capability, found }) => found.map(({ key }) => sourceArtifact(capability, key))),
  );
  const failed = new Set(rounds.flatMap((round) => round.failures.map((failure) => JSON.stringify(failure))));
  return {
    sources: (known?.sources ?? []).filter(({ artifact, ref }) => !made.has(artifact) && !refs.has(ref)),
    failures: (known?.failures ?? []).filter((failure) => !failed.has(JSON.stringify(failure))),
  };
}
