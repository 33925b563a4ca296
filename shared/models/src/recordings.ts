import { createHash, randomUUID } from "node:crypto";
import { type ObjectStore, tryReadObject } from "@proofroom/artifacts";
import { isProofroomError } from "@proofroom/contracts";
import { z } from "zod";
import type { ModelReply, ModelRequest } from "./request.ts";
import type { Role } from "./roles.ts";

/** Below a run: one file per answered call. */
const recordingsFolder = ".nova/recordings/";

const replySchema = z.object({
  text: z.string(),
  finish: z.enum(["stop", "length", "blocked", "open"]),
  usage: z.object({ inputTokens: z.int().nonnegative(), outputTokens: z.int().nonnegative() }),
});

/** `.nova/recordings/<key>.json`: a question to a model and its answer. */
const recordingSchema = z.object({
  v: z.literal(1),
  at: z.iso.datetime(),
  step: z.string(),
  generation: z.int().positive(),
  role: z.string(),
  /** The model's name in the models file, and what the provider calls it. */
  model: z.string(),
  provider_model: z.string(),
  request: z.unknown().optional(),
  reply: replySchema.optional(),
  usage: replySchema.shape.usage,
  /** US dollars, at the prices of the models file. */
  cost: z.number().nonnegative(),
  /** False where the models file held no price; the cost is 0 then. */
  priced: z.boolean().default(true),
  ms: z.number().nonnegative(),
});
type Recording = z.output<typeof recordingSchema>;

/** The step that asks. Another generation of it asks anew. */
export interface Asker {
  runId: string;
  stepId: string;
  generation: number;
}

export interface Spent {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars, at list prices. */
  cost: number;
  /** Calls of models whose price is not known: the cost leaves them out. */
  unpricedCalls: number;
  /** Calls by the name of the model. */
  models: Record<string, number>;
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
  /** What the run's calls have cost, in US dollars. It is asked before each call: no recording is read for it twice. */
  costOf(runId: string): Promise<number>;
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
function keyOf({ stepId, generation }: Asker, model: string, request: ModelRequest): string {
  const { system, parts, schema, maxTokens } = request;
  const question = [stepId, generation, model, system ?? null, parts, schema ?? null, maxTokens];
  return createHash("sha256").update(JSON.stringify(question)).digest("hex");
}

async function read(store: ObjectStore, key: string): Promise<Recording | null> {
  const bytes = await tryReadObject(store, key);
  return bytes === null ? null : recordingSchema.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
}

function folderOf(runId: string): string {
  return `runs/${runId}/${recordingsFolder}`;
}

/** Runs whose costs are remembered. */
const rememberedRuns = 100;

async function* recordingsOf(store: ObjectStore, runId: string): AsyncGenerator<Recording> {
  for await (const { key } of store.list(folderOf(runId))) {
    const recording = await read(store, key);
    if (recording !== null) yield recording;
  }
}

/** What the calls of a run have come to. */
export async function spentOn(store: ObjectStore, runId: string): Promise<Spent> {
  const total: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0, unpricedCalls: 0, models: {} };
  for await (const { model, usage, cost, priced } of recordingsOf(store, runId)) {
    total.calls += 1;
    total.inputTokens += usage.inputTokens;
    total.outputTokens += usage.outputTokens;
    total.cost += cost;
    if (!priced) total.unpricedCalls += 1;
    total.models[model] = (total.models[model] ?? 0) + 1;
  }
  return total;
}

/**
 * Keeps every answered call with its run, and finds it again: an execution that was cut short after its answer had
 * come asks nothing twice.
 * @param keepsText false where neither questions nor answers may be kept: only what they cost is then
 */
export function openRecordings(store: ObjectStore, options: { keepsText: boolean; now(): Date }): Recordings {
  /** By run and key. A recording never changes. */
  const costs = new Map<string, Map<string, number>>();

  async function create(runId: string, name: string, recording: Recording): Promise<boolean> {
    try {
      await store.create(`${folderOf(runId)}${name}.json`, `${JSON.stringify(recording, null, 2)}\n`);
      return true;
    } catch (error) {
      if (isProofroomError(error) && error.code === "conflict") return false;
      throw error;
    }
  }

  return {
    async find(asker, model, request) {
      const key = `${folderOf(asker.runId)}${keyOf(asker, model, request)}.json`;
      const recording = await read(store, key);
      return recording?.reply === undefined
        ? null
        : { reply: recording.reply, providerModel: recording.provider_model };
    },
    async save(asker, { role, model, providerModel, request, reply, cost, priced, ms }) {
      const recording: Recording = {
        v: 1,
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
      const { runId } = asker;
      const told =
        options.keepsText &&
        (await create(runId, keyOf(asker, model, request), { ...recording, request, reply }));
      // What cannot be found again, or was asked by two at once, was paid for each time.
      if (!told) await create(runId, randomUUID(), recording);
    },
    async asked(places, role) {
      for (const { runId, stepId, generation } of places) {
        for await (const known of recordingsOf(store, runId)) {
          if (known.role === role && known.step === stepId && known.generation === generation) return true;
        }
      }
      return false;
    },
    async costOf(runId) {
      const known = costs.get(runId) ?? new Map<string, number>();
      costs.delete(runId);
      costs.set(runId, known);
      for (const oldest of costs.keys()) if (costs.size > rememberedRuns) costs.delete(oldest);
      for await (const { key } of store.list(folderOf(runId))) {
        if (!known.has(key)) known.set(key, (await read(store, key))?.cost ?? 0);
      }
      return known.values().reduce((sum, cost) => sum + cost, 0);
    },
  };
}
