import { setTimeout as pause } from "node:timers/promises";
import type { ControlDeps } from "./control/request-advance.ts";
import { isIndexed } from "./list-runs.ts";

/** How long the queue and the store may take to answer before they count as away, in milliseconds. */
const patience = 2_000;

async function answers(work: Promise<boolean>): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(patience, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([work.catch(() => false), late]);
  } finally {
    timer.abort();
  }
}

/** What `watchWrites` tells of the store. */
export interface Writes {
  obstacles(): readonly string[];
}

/**
 * Names what of that with which a gateway works does not answer, or, of the store, is not what it was when the gateway
 * indexed its runs; nothing where it is ready.
 */
export async function whatIsAway({
  store,
  events,
  writes,
}: Pick<ControlDeps, "store" | "events"> & { writes?: Writes | undefined }): Promise<string[]> {
  const [queue, objects] = await Promise.all([
    // The name is nobody's: what counts is that the question is answered.
    answers(events.position("readiness").then(() => true)),
    answers(isIndexed(store)),
  ]);
  const isFull = (writes?.obstacles() ?? []).length > 0;
  const kept = objects ? (isFull ? ["the store, for writing"] : []) : ["the store"];
  return [...(queue ? [] : ["the queue (Redis)"]), ...kept];
}
