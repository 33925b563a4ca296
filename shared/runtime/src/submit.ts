import type { ObjectStore } from "@proofroom/artifacts";
import { type Capability, findCapability, isProofroomError } from "@proofroom/contracts";
import { type Producer, payloadLimit, type StepJob } from "@proofroom/queue";
import { canonicalJson, hashOf, stepIdOf } from "./canonical.ts";
import { openLedger } from "./ledger.ts";
import { ledgerKeys } from "./ledger-keys.ts";

export interface StepRequest {
  capability: Capability;
  input: Record<string, unknown>;
  generation: number;
  /** Of a child: the step that fans it out. */
  parent?: string;
}

/** Room for the ids around an input that travels inside the job. */
const inlineLimit = payloadLimit - 424;

/** Makes the job of a request. An input too large for the queue goes into the store, under its hash. */
export async function jobOf(store: ObjectStore, runId: string, request: StepRequest): Promise<StepJob> {
  const { capability, generation, parent } = request;
  const input = capability.input.parse(request.input);
  const job: StepJob = {
    v: 1,
    run_id: runId,
    capability: capability.name,
    step_id: stepIdOf(capability, input, parent),
    generation,
    ...(parent === undefined ? {} : { parent }),
  };
  const text = canonicalJson(input);
  if (Buffer.byteLength(text) <= inlineLimit) return { ...job, input };
  const name = `${ledgerKeys.inputs}${hashOf(input)}.json`;
  try {
    await store.create(`runs/${runId}/${name}`, text);
  } catch (error) {
    if (!isProofroomError(error) || error.code !== "conflict") throw error;
  }
  return { ...job, input_ref: name };
}

/** The jobs of the children that a step waits for, as far as they have begun. */
async function begunChildren(store: ObjectStore, runId: string, parent: string) {
  const open = await openLedger(store, runId).openChildren(parent);
  return open.flatMap(({ stepId, generation }) => {
    const capability = findCapability(stepId.replace(/-[0-9a-f]{16}$/, ""));
    return capability === undefined ? [] : [{ capability, step_id: stepId, generation }];
  });
}

/**
 * Puts a step into its queue; one that is on its way already is left alone, unless it waits for its time, or a child of it
 * does, and is wanted `now`.
 */
export async function submitStep(
  deps: { store: ObjectStore; producer: Producer },
  runId: string,
  request: StepRequest,
  how: { now?: boolean } = {},
): Promise<StepJob> {
  const job = await jobOf(deps.store, runId, request);
  const children = how.now === true ? await begunChildren(deps.store, runId, job.step_id) : [];
  await deps.producer.submit(request.capability, job, { ...how, children });
  return job;
}
