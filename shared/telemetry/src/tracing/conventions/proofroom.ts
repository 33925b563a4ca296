import type { SpanStart } from "../tracing.ts";
import { workflowSpan } from "./genai.ts";

// Names of our own, for what the conventions have none for. All of them stand here.

export const runAttribute = "proofroom.run.id";
/** What a failure means for the job: `retry`, `retry_after`, `wait`, `fail`; or how an execution was left. */
export const dispositionAttribute = "proofroom.disposition";
export const attemptAttribute = "proofroom.attempt";

/** Setting a run in motion: all its steps are part of this. */
export function runStartSpan(reason: string, runId: string): SpanStart {
  return { name: `${reason} run`, attributes: { "proofroom.epoch.reason": reason }, ids: { run: runId } };
}

/** A run from being set in motion to its end; told when it has ended. */
export function runSpan(run: {
  plan: string;
  runId: string;
  epoch: number;
  status: string;
  article: string | undefined;
}): SpanStart {
  return {
    ...workflowSpan(run.plan, run.runId),
    ids: { run: run.runId },
    attributes: {
      ...workflowSpan(run.plan, run.runId).attributes,
      "proofroom.epoch": run.epoch,
      "proofroom.run.status": run.status,
      "proofroom.run.article": run.article,
    },
  };
}

/** The execution of a step by its handler. */
export function stepSpan(step: { capability: string; stepId: string; generation: number }): SpanStart {
  return {
    name: step.capability,
    attributes: {
      "proofroom.step.id": step.stepId,
      "proofroom.step.generation": step.generation,
    },
  };
}

/** What a step read and wrote, by name and version: the texts are in the store. */
export function stepArtifacts(
  reads: readonly { name: string; version: number }[],
  writes: readonly { name: string; version: number }[],
): Record<string, readonly string[]> {
  const named = ({ name, version }: { name: string; version: number }) => `${name}@${version}`;
  return {
    "proofroom.step.reads": reads.slice(0, artifactsTold).map(named),
    "proofroom.step.writes": writes.slice(0, artifactsTold).map(named),
  };
}

const artifactsTold = 50;

export const stepInput = "proofroom.step.input";
export const stepOutput = "proofroom.step.output";

/** An artifact that is read from the store or written to it. */
export function storeSpan(operation: "get" | "put", artifact: string, key: string): SpanStart {
  return { name: `${operation} ${artifact}`, kind: "client", attributes: { "proofroom.store.key": key } };
}

export const bytesAttribute = "proofroom.bytes";

/** A program that runs in the sandbox. */
export function sandboxSpan(command: string, driver: string): SpanStart {
  return { name: `run ${command}`, attributes: { "proofroom.sandbox.driver": driver } };
}

export function sandboxOutcome(outcome: {
  verdict: string;
  exit: number | null;
  truncated: boolean;
}): Record<string, string | number | boolean | undefined> {
  return {
    "proofroom.sandbox.verdict": outcome.verdict,
    "proofroom.sandbox.exit": outcome.exit ?? undefined,
    "proofroom.sandbox.truncated": outcome.truncated,
  };
}

/** The parsing of a foreign format. */
export function parseSpan(parser: string): SpanStart {
  return { name: `parse ${parser}` };
}

export const contentInput = "proofroom.content.input";
export const contentOutput = "proofroom.content.output";

/** The asking of a role, whichever models are asked for it. */
export function askSpan(role: string): SpanStart {
  return { name: `ask ${role}`, attributes: { "proofroom.model.role": role } };
}

/** How it was answered: by whom, and after how many calls of how many models. */
export function askOutcome(outcome: {
  by: string;
  calls: number;
  retries: number;
  failovers: number;
  cost: number;
}): Record<string, string | number> {
  return {
    "proofroom.model.answered_by": outcome.by,
    "proofroom.model.calls": outcome.calls,
    "proofroom.model.retries": outcome.retries,
    "proofroom.model.failovers": outcome.failovers,
    "proofroom.cost.usd": outcome.cost,
  };
}

export const recordingAttribute = "proofroom.recording";
