import {
  type Failure,
  failuresShown,
  type Gathered,
  type GatherOutput,
  gatheredArtifact,
  type InputOf,
  type ingestDocument,
  type ingestRepository,
  type ingestVideo,
  type ingestWebPage,
  type Note,
  type PublicError,
  type SourceKind,
  sourceSchema,
} from "@proofroom/contracts";
import type { ChildOutcome, StepContext } from "@proofroom/runtime";
import { UniqueNames } from "./unique-names.ts";

type IngestCapability =
  | typeof ingestDocument
  | typeof ingestRepository
  | typeof ingestVideo
  | typeof ingestWebPage;

/** One source that was asked for: with the job that gets it, or with the reason why none is needed. */
export type GatherRequest = { ref: string; kind: SourceKind } & (
  | {
      job: {
        [C in IngestCapability as C["name"]]: { capability: C; input: InputOf<C> };
      }[IngestCapability["name"]];
    }
  | { job?: undefined; failure: PublicError }
);

export interface GatherPlan {
  /** The capability that gathers. */
  name: string;
  requests: readonly GatherRequest[];
  /** What is to be known of what was asked for, beside what was had and what was not. */
  notes?: readonly Note[];
  /** Where readable copies are written, with a final slash. */
  folder: string;
  /** The name that a source's copy should have, without extension; made unique here. */
  copyName: (source: { ref: string; title: string }) => string;
}

/**
 * What all gathering capabilities do: one job per source, then the list of what was had and what was not, in the
 * order of the requests, and a readable copy of each source. Of equal texts only the first is copied; all are
 * listed, and the corpus takes the first.
 */
export async function gather(context: StepContext, plan: GatherPlan): Promise<GatherOutput> {
  const outcomes = await runJobs(context, plan.requests);
  const gathered = collect(plan, outcomes);
  await writeCopies(context, plan, gathered);
  const artifact = gatheredArtifact(plan.name);
  const cached = gathered.sources.filter((source) => source.from_cache === true).length;
  await context.artifacts.writeJson(artifact, gathered);
  return {
    status: statusOf(gathered),
    requested: plan.requests.length,
    gathered: gathered.sources.length,
    ...(cached === 0 ? {} : { from_cache: cached }),
    failed: gathered.failures.length,
    artifact,
    failures: gathered.failures.slice(0, failuresShown),
    ...(gathered.notes === undefined ? {} : { notes: gathered.notes.slice(0, failuresShown) }),
  };
}

type Outcome = ChildOutcome<IngestCapability>;

/** Outcomes by the place of their request. Each capability's jobs run at the same time. */
async function runJobs(
  context: StepContext,
  requests: readonly GatherRequest[],
): Promise<Map<number, Outcome>> {
  const places = new Map<IngestCapability, number[]>();
  requests.forEach(({ job }, place) => {
    if (job !== undefined) places.set(job.capability, [...(places.get(job.capability) ?? []), place]);
  });
  const outcomes = new Map<number, Outcome>();
  for (const [capability, at] of places) {
    const inputs = at.map((place) => requests[place]?.job?.input);
    const results = await context.fanOut<IngestCapability>(capability, inputs as InputOf<IngestCapability>[]);
    at.forEach((place, index) => {
      const result = results[index];
      if (result !== undefined) outcomes.set(place, result);
    });
  }
  return outcomes;
}

function collect({ requests, notes = [] }: GatherPlan, outcomes: ReadonlyMap<number, Outcome>): Gathered {
  const gathered: Gathered = {
    v: 1,
    sources: [],
    failures: [],
    ...(notes.length === 0 ? {} : { notes: [...notes] }),
  };
  requests.forEach((request, place) => {
    const outcome = outcomes.get(place);
    if (outcome?.output !== undefined) gathered.sources.push({ ...outcome.output, ref: request.ref });
    else gathered.failures.push(failureOf(request, outcome?.error));
  });
  return gathered;
}

function failureOf(request: GatherRequest, error: PublicError | undefined): Failure {
  const known = error ?? (request.job === undefined ? request.failure : undefined);
  const { code, message, remedy } = known ?? {
    code: "internal" as const,
    message: "The job gave no result.",
  };
  return {
    ref: request.ref,
    kind: request.kind,
    code,
    message,
    ...(remedy === undefined ? {} : { remedy }),
  };
}

function statusOf({ sources, failures }: Gathered): GatherOutput["status"] {
  if (failures.length === 0) return "success";
  return sources.length === 0 ? "error" : "partial_success";
}

/** One source at a time: fifty of them would not fit into memory together. */
async function writeCopies(context: StepContext, plan: GatherPlan, { sources }: Gathered): Promise<void> {
  const names = new UniqueNames();
  const copied = new Set<string>();
  let done = 0;
  for (const source of sources) {
    context.signal.throwIfAborted();
    if (!copied.has(source.sha256)) {
      copied.add(source.sha256);
      const { text } = await context.artifacts.readJson(source.artifact, sourceSchema);
      await context.artifacts.writeText(
        `${plan.folder}${names.take(plan.copyName(source))}.md`,
        titled(source.title, text),
      );
    }
    done += 1;
    context.progress({ done, total: sources.length });
  }
}

function titled(title: string, text: string): string {
  const body = /^# \S/.test(text) ? text : `# ${title.replace(/\s+/g, " ")}\n\n${text}`;
  return `${body.trimEnd()}\n`;
}
