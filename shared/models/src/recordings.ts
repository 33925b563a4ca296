import { hash } from "node:crypto";
import { type ObjectStore, readRecording, recordingKey, recordingsOf } from "@proofroom/artifacts";
import type { Recording } from "@proofroom/contracts";
import { keepRecording } from "./keep-recording.ts";
import type { ModelReply, ModelRequest } from "./request.ts";
import type { Role } from "./roles.ts";
import type { SpentByRuns } from "./spent.ts";

/** The step that asks. Another generation of it asks anew. */
export interface Asker {
  runId: string;
  stepId: string;
  generation: number;
}

/** A reply, and what the provider calls the model that gave it. */
export interface RecordedReply {
  reply: ModelReply;
  providerModel: string;
}

/** The calls of all runs, each kept with its run. */
export interface Recordings {
  find(asker: Asker, model: string, request: ModelRequest): Promise<RecordedReply | null>;
  save(asker: Asker, call: NewRecording): Promise<void>;
  /** Whether the role was asked anything at any of the places. */
  asked(places: readonly Asker[], role: Role): Promise<boolean>;
}

interface NewRecording {
  role: Role;
  model: string;
  providerModel: string;
  request: ModelRequest;
  reply: ModelReply;
  cost: number;
  priced: boolean;
  ms: number;
}

/** What makes two questions of one step the same one: the run is not part of it, so that another can replay them. */
export function keyOf({ stepId, generation }: Asker, model: string, request: ModelRequest): string {
  const { system, parts, schema, maxTokens } = request;
  const question = [stepId, generation, model, system ?? null, parts, schema ?? null, maxTokens];
  return hash("sha256", JSON.stringify(question));
}

interface RecordingsOptions {
  /** False where neither questions nor answers may be kept: only what they cost is then. */
  keepsText: boolean;
  /** Told of each that is kept. */
  spent: Pick<SpentByRuns, "note">;
  now(): Date;
}

/**
 * Keeps every answered call with its run, and finds it again: an execution that was cut short after its answer had
 * come asks nothing twice.
 */
export function openRecordings(store: ObjectStore, options: RecordingsOptions): Recordings {
  return {
    async find(asker, model, request) {
      const recording = await readRecording(store, recordingKey(asker.runId, keyOf(asker, model, request)));
      return recording?.kind !== "model" || recording.reply === undefined
        ? null
        : { reply: recording.reply, providerModel: recording.provider_model };
    },
    async save(asker, { role, model, providerModel, request, reply, cost, priced, ms }) {
      const tally: Recording = {
        v: 1,
        kind: "model",
        at: options.now().toISOString(),
        step: asker.stepId,
        generation: asker.generation,
        role,
        model,
        provider_model: providerModel,
        usage: reply.usage,
        cost,
        priced,
        ms,
      };
      const key = await keepRecording(store, asker.runId, {
        name: keyOf(asker, model, request),
        tally,
        whole: options.keepsText ? { ...tally, request, reply } : null,
      });
      options.spent.note(asker.runId, key, tally);
    },
    async asked(places, role) {
      for (const { runId, stepId, generation } of places) {
        for await (const known of recordingsOf(store, runId)) {
          if (known.kind !== "model" || known.role !== role) continue;
          if (known.step === stepId && known.generation === generation) return true;
        }
      }
      return false;
    },
  };
}
