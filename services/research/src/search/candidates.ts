import { createHash } from "node:crypto";
import type { Source } from "@proofroom/contracts";
import { makeSource, spansOfMarkdown } from "@proofroom/evidence";
import { firstWords, mostWords } from "./result-text.ts";
import type { Found, Round } from "./round.ts";

/** One page that searches found, with all queries that found it. */
export interface Candidate {
  /** From 1, in the order in which the pages were first found. */
  number: number;
  key: string;
  ref: string;
  title: string;
  queries: string[];
  /** What the searches show of it: 300 words at the most. */
  text: string;
  providers: string[];
  /** When it was found first. */
  at: string;
  isCut: boolean;
  /** As each search gave it, the first one first. */
  found: readonly Found[];
}

/** The newest generation of each call, in their order. */
export function standing(rounds: readonly Round[]): Round[] {
  const newest = new Map<string, Round>();
  for (const round of rounds) {
    const known = newest.get(round.step_id);
    if (known === undefined || known.generation < round.generation) newest.set(round.step_id, round);
  }
  const order = ({ at, step_id }: Round) => `${at} ${step_id}`;
  return [...newest.values()].sort(
    (one, other) => one.place - other.place || (order(one) < order(other) ? -1 : 1),
  );
}

/** Where a call belongs: behind all rounds there are, or where it was before if it is repeated. */
export function placeOf(stepId: string, rounds: readonly Round[]): number {
  const before = rounds.find(({ step_id }) => step_id === stepId);
  return before?.place ?? 1 + Math.max(0, ...rounds.map(({ place }) => place));
}

/** The pages of some rounds, each once: a function of the rounds alone, whoever computes it. */
export function candidatesOf(rounds: readonly Round[]): Candidate[] {
  const pages = new Map<string, { round: Round; found: Found }[]>();
  for (const round of standing(rounds)) {
    for (const found of round.found)
      pages.set(found.key, [...(pages.get(found.key) ?? []), { round, found }]);
  }
  return [...pages].flatMap(([key, all], at): Candidate[] => {
    const [first] = all;
    if (first === undefined) return [];
    const excerpts = distinct(all.map(({ found }) => found.text));
    const text = shortened(excerpts);
    return [
      {
        number: at + 1,
        key,
        ref: first.found.ref,
        title: first.found.title,
        queries: [...new Set(all.map(({ found }) => found.query))],
        text,
        providers: [...new Set(all.map(({ round }) => round.provider))],
        at: first.round.at,
        isCut: text !== excerpts.join("\n\n"),
        found: all.map(({ found }) => found),
      },
    ];
  });
}

/** Those that are not a part of another. */
function distinct(texts: readonly string[]): string[] {
  const unique = [...new Set(texts)];
  return unique.filter((text) => !unique.some((other) => other !== text && other.includes(text)));
}

/** Each excerpt gets its share of the words that are left. */
function shortened(excerpts: readonly string[]): string {
  let room = mostWords;
  const parts = excerpts.map((excerpt, at) => {
    const part = firstWords(excerpt, Math.floor(room / (excerpts.length - at)));
    room -= part.match(/\S+/g)?.length ?? 0;
    return part;
  });
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The source that a page becomes; null where nothing in it could be cited. */
export function candidateSource(candidate: Candidate): Source | null {
  const { ref, title, text, found, providers, queries } = candidate;
  const spans = spansOfMarkdown(text);
  if (spans.length === 0) return null;
  const original = Buffer.from(found.map((one) => one.text).join("\n\n"), "utf8");
  const first = <Name extends "published" | "author" | "licence">(name: Name) => {
    const value = found.find((one) => one[name] !== undefined)?.[name];
    return value === undefined ? {} : { [name]: value };
  };
  const omissions = new Set(found.flatMap((one) => one.omissions));
  if (candidate.isCut) omissions.add(`all of the excerpts but ${mostWords} words`);
  return makeSource({
    kind: "search_result",
    ref,
    title,
    text,
    spans,
    provenance: {
      method: "api",
      content_sha256: createHash("sha256").update(original).digest("hex"),
      bytes: original.byteLength,
      media_type: "text/plain",
      retrieved_at: candidate.at,
      provider: providers.join(", "),
      queries,
      ...first("published"),
      ...first("author"),
      ...first("licence"),
      omissions: [...omissions],
    },
  });
}
