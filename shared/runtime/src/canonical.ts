import { createHash } from "node:crypto";
import type { Capability } from "@proofroom/contracts";

/** JSON with sorted keys and without undefined members: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

export function hashOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

/**
 * The id of a step: the capability's name, and a hash of the input where that is not the default one. Children
 * also carry their parent's id in the hash, so that two parents never share a job.
 */
export function stepIdOf(capability: Capability, input: Record<string, unknown>, parent?: string): string {
  const text = canonicalJson(input);
  if (parent === undefined) {
    const standard = capability.input.safeParse({});
    if (standard.success && canonicalJson(standard.data) === text) return capability.name;
  }
  return `${capability.name}-${hashOf({ input, parent }).slice(0, 16)}`;
}

/** How a step signs what it writes: its id and generation. */
export function authorOf(stepId: string, generation: number): string {
  return `${stepId}.g${generation}`;
}

/** The step in an author's name, or null for a person or an import. */
export function stepOfAuthor(author: string): string | null {
  return /^(.+)\.g\d+$/.exec(author)?.[1] ?? null;
}

/**
 * How a text is signed that somebody wrote: `person`, or `person (through NAME)` where an agent brought it, under the name that it
 * gives itself.
 */
export function personThrough(agent: string | undefined): string {
  const name =
    agent
      ?.replace(/[^\p{L}\p{N} ._/@-]/gu, "")
      .slice(0, 64)
      .trim() ?? "";
  return name === "" ? "person" : `person (through ${name})`;
}

/** Whether a person wrote it, themselves or through an agent. */
export function isPersons(author: string): boolean {
  return author === "person" || author.startsWith("person (");
}
