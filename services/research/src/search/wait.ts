import { setTimeout as pause } from "node:timers/promises";

/** Waits so many milliseconds. @throws the signal's reason */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<void>;

/** By the clock; what waits so does not keep the process alive. */
export const waitByClock: Wait = async (ms, signal) => {
  try {
    await pause(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
};
