import { ProofroomError, type WaitingCall } from "@proofroom/contracts";
import type { CallFault } from "./provider.ts";
import type { Flaw } from "./read-answer.ts";
import type { Role } from "./roles.ts";

/** What a model did in place of answering, or what its answer was. */
export interface Fault {
  /** The model's name in the models file. */
  model: string;
  what: CallFault | Flaw;
  /** Where the call failed: the host, and the HTTP status where an answer came. */
  status?: number | undefined;
  host?: string;
}

/** What stood in the way of an answer, over the whole cascade. */
export interface Obstacles {
  /** The soonest that a model can be asked again, in milliseconds; null where none is cooling. */
  waitMs: number | null;
  faults: Fault[];
  /** Whether a limit is among them; else nothing but a provider's failing is waited for. */
  limited: boolean;
  /** Models that answered twice without use. */
  useless: number;
  /** Calls that smaller ones crowd out, each with its model's name in the models file. */
  crowded: (WaitingCall & { model: string })[];
}

export function noObstacles(): Obstacles {
  return { waitMs: null, faults: [], limited: false, useless: 0, crowded: [] };
}

/** Whether asking again helps nobody: of so many models each gave no answer of use, or does not take its key. */
export function isUseless({ useless, faults }: Obstacles, able: number): boolean {
  return useless > 0 && useless + refusedOf(faults).length === able;
}

function refusedOf(faults: readonly Fault[]): Fault[] {
  return faults.filter(({ what }) => what === "refused");
}

/** `first: busy (503 from api.groq.com), second: not_json`: for each fault the model, and where it was. */
export function faultsText(faults: readonly Fault[]): string {
  return faults
    .map(({ model, what, status, host }) => {
      const from = status === undefined ? host : `${status} from ${host}`;
      return host === undefined ? `${model}: ${what}` : `${model}: ${what} (${from})`;
    })
    .join(", ");
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
  const { waitMs, faults } = obstacles;
  const refused = refusedOf(faults);
  if (able === 0 || (refused.length > 0 && refused.length === able)) {
    const accepted = refused.length === 0 ? "is configured" : `accepts its key: ${faultsText(refused)}`;
    return new ProofroomError({
      code: "not_configured",
      message: `No model that can be the ${role} ${accepted}.`,
      remedy: "Where the workers run, set the key of one that infra/models.yaml names for it.",
    });
  }
  if (faults.length > 0 && faults.every(({ what }) => what === "rejected")) {
    return new ProofroomError({
      code: "invalid_input",
      message: `No model of the ${role} takes the question: ${faultsText(faults)}.`,
      remedy:
        "Look whether the model's name and its server's address are right; infra/models.yaml says what sets them.",
    });
  }
  if (waitMs !== null) {
    return new ProofroomError({
      code: "quota",
      message: `All models of the ${role} are at their limits${faults.length === 0 ? "" : ` or fail: ${faultsText(faults)}`}.`,
      disposition: { kind: "wait", delayMs: Math.max(Math.ceil(waitMs), 1) },
    });
  }
  return new ProofroomError({
    code: "unreachable",
    message: `No model of the ${role} gave an answer that can be used: ${faultsText(faults) || "none can take the question"}.`,
    remedy: "Resume the run to ask again; infra/models.yaml names the models.",
  });
}
