import { ProofroomError } from "@proofroom/contracts";
import type { Role } from "./roles.ts";

/** What stood in the way of an answer, over the whole cascade. */
export interface Obstacles {
  /** The soonest that a model can be asked again, in milliseconds; null where none is cooling. */
  waitMs: number | null;
  faults: string[];
  refused: string[];
  /** Whether a limit is among them; else nothing but a provider's failing is waited for. */
  limited: boolean;
  /** Models that answered twice without use. */
  useless: number;
}

export function noObstacles(): Obstacles {
  return { waitMs: null, faults: [], refused: [], limited: false, useless: 0 };
}

/** Whether asking again helps nobody: of so many models each gave no answer of use, or does not take its key. */
export function isUseless({ useless, refused }: Obstacles, able: number): boolean {
  return useless > 0 && useless + refused.length === able;
}

/** A replay was asked what its source never was. */
export function notRecorded(role: Role): ProofroomError {
  return new ProofroomError({
    code: "not_found",
    message: `The recordings hold no answer for this question of the ${role}.`,
    remedy: "Replay a run that was recorded to its end, with the same version.",
  });
}

/** Why none of so many models gave an answer. */
export function failureOf(role: Role, able: number, obstacles: Obstacles): ProofroomError {
  const { waitMs, faults, refused } = obstacles;
  if (able === 0 || (refused.length > 0 && refused.length === able)) {
    const accepted = refused.length === 0 ? "is configured" : `accepts its key: ${refused.join(", ")}`;
    return new ProofroomError({
      code: "not_configured",
      message: `No model that can be the ${role} ${accepted}.`,
      remedy: "Where the workers run, set the key of one that infra/models.yaml names for it.",
    });
  }
  if (faults.length > 0 && faults.every((fault) => fault.endsWith(": rejected"))) {
    return new ProofroomError({
      code: "invalid_input",
      message: `No model of the ${role} takes the question: ${faults.join(", ")}.`,
      remedy:
        "Look whether the model's name and its server's address are right; infra/models.yaml says what sets them.",
    });
  }
  if (waitMs !== null) {
    return new ProofroomError({
      code: "quota",
      message: `All models of the ${role} are at their limits.`,
      disposition: { kind: "wait", delayMs: Math.max(Math.ceil(waitMs), 1) },
    });
  }
  return new ProofroomError({
    code: "unreachable",
    message: `No model of the ${role} gave an answer that can be used: ${faults.join(", ") || "none can take the question"}.`,
    remedy: "Resume the run to ask again; infra/models.yaml names the models.",
  });
}
