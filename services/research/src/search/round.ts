import { createHash } from "node:crypto";
import {
  type CapabilityName,
  type Failure,
  failureSchema,
  ProofroomError,
  toPublicError,
} from "@proofroom/contracts";
import { z } from "zod";
import type { SearchResult } from "./provider.ts";
import { resultAddress } from "./result-address.ts";
import { cleanLine, cleanText, notEvidence } from "./result-text.ts";
import type { QueryOutcome } from "./run-queries.ts";

const foundSchema = z.object({
  query: z.string(),
  ref: z.string(),
  /** Equal for all addresses of one page. */
  key: z.string(),
  title: z.string(),
  text: z.string(),
  published: z.string().optional(),
  author: z.string().optional(),
  licence: z.string().optional(),
  omissions: z.array(z.string()),
});
export type Found = z.infer<typeof foundSchema>;

/** `.nova/searches/<step>.g<generation>.json`: what one call of a searching capability found. */
export const roundSchema = z.object({
  v: z.literal(1),
  capability: z.string(),
  step_id: z.string(),
  generation: z.int().positive(),
  provider: z.string(),
  /** Its place among the rounds of the run, from 1; those that went on at the same time share one. */
  place: z.int().positive(),
  at: z.iso.datetime(),
  queries: z.array(z.string()),
  found: z.array(foundSchema),
  failures: z.array(failureSchema),
  notes: z.array(z.string()),
});
export type Round = z.infer<typeof roundSchema>;

export interface RoundFacts {
  capability: CapabilityName;
  stepId: string;
  generation: number;
  provider: string;
  place: number;
  at: Date;
}

/** Sorts out what a call found: results that are evidence, and the failures, those of queries by the query. */
export function makeRound(facts: RoundFacts, outcomes: readonly QueryOutcome[]): Round {
  const round: Round = {
    v: 1,
    capability: facts.capability,
    step_id: facts.stepId,
    generation: facts.generation,
    provider: facts.provider,
    place: facts.place,
    at: facts.at.toISOString(),
    queries: outcomes.map(({ query }) => query),
    found: [],
    failures: [],
    notes: [],
  };
  for (const { query, cutTo, answer } of outcomes) {
    if (cutTo !== undefined) {
      round.notes.push(
        `The query was cut to what ${facts.provider} takes, ${cutTo.length} characters: ${cutTo}`,
      );
    }
    if (answer instanceof ProofroomError) round.failures.push(failureOf(query, answer));
    else takeResults(round, query, answer);
  }
  return round;
}

function takeResults(round: Round, query: string, results: readonly SearchResult[]): void {
  const before = round.found.length;
  for (const result of results) {
    const taken = takeResult(query, result);
    if ("code" in taken) round.failures.push(taken);
    else round.found.push(taken);
  }
  if (round.found.length > before) return;
  const message = `None of the ${results.length} results for this query is evidence.`;
  round.failures.push(failureOf(query, new ProofroomError({ code: "no_evidence", message })));
}

function takeResult(query: string, result: SearchResult): Found | Failure {
  const address = resultAddress(result.url);
  if (typeof address === "string") {
    const shown = cleanLine(result.url, 200) || "a search result";
    const message =
      address === "private_address"
        ? "The search result has a private address."
        : "The search result has no http or https address without credentials.";
    return failureOf(shown, new ProofroomError({ code: address, message }));
  }
  const text = cleanText(result.text);
  const title = cleanLine(result.title) || nameOf(address.ref);
  const holds = notEvidence(title, text);
  if (holds !== null) {
    const message = `The search result holds ${holds}.`;
    const remedy = "Fetch the page itself if it matters.";
    return failureOf(address.ref, new ProofroomError({ code: "no_evidence", message, remedy }));
  }
  return {
    query,
    ...address,
    title,
    text,
    ...optional("published", result.published),
    ...optional("author", result.author),
    ...optional("licence", result.licence),
    omissions: [...(result.omissions ?? [])],
  };
}

function optional<Name extends string>(name: Name, value: string | undefined): { [N in Name]?: string } {
  const line = cleanLine(value ?? "");
  return line === "" ? {} : ({ [name]: line } as { [N in Name]: string });
}

function nameOf(address: string): string {
  const { hostname, pathname } = new URL(address);
  const last = pathname.split("/").findLast((part) => part !== "");
  return last === undefined ? hostname : cleanLine(`${hostname}: ${last}`);
}

function failureOf(ref: string, error: ProofroomError): Failure {
  const { code, message, remedy } = toPublicError(error);
  return { ref, kind: "search_result", code, message, ...(remedy === undefined ? {} : { remedy }) };
}

/** Of a round among all rounds of a run. */
export function roundArtifact({ step_id, generation }: Pick<Round, "step_id" | "generation">): string {
  return `.nova/searches/${step_id}.g${generation}.json`;
}

/** Of a source, by the page's key: the same page always lies under the same name. */
export function sourceArtifact(capability: string, key: string): string {
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 16);
  return `.nova/sources/${capability}-${hash}.json`;
}
