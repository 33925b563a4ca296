import { ProofroomError } from "@proofroom/contracts";
import { EndedChild, LostChild, ParseChild } from "./parse-child.ts";

/** The heap that every parser of this service is given, in MB: the same for all, so that any child fits any of them. */
export const parserHeapMb = 1_536;

export interface ParseLimits {
  signal: AbortSignal;
  /** After so many milliseconds of work the child is killed and the input given up. */
  timeoutMs: number;
  /** Heap of the child in MB. Buffers lie outside of the heap: what inflates must count its bytes itself. */
  maxOldSpaceMb: number;
}

/**
 * Runs parsers of foreign formats in processes of their own, which an abort, the time-out and the heap limit end
 * whatever they are doing. They are processes and no threads because a thread that outgrows its heap can take the
 * whole process with it.
 */
export interface ParsePool {
  /**
   * Runs the exported function `work(payload)` of a module of this repository. Payload and result are structured
   * clones. Waits for its turn where all children are busy; the wait does not count as work.
   * @throws ProofroomError as `work` threw it; `timeout`, `too_large`, and `invalid_input` for any other error of `work` and
   *   two children in a row that ended (all final: the same input would end the same way); `internal` where no child can be
   *   started, the module cannot be loaded, or `work` has a fault that no input explains; `cancelled` once the pool closes; or the signal's reason
   */
  run<T>(moduleUrl: URL, payload: unknown, limits: ParseLimits): Promise<T>;
  /** Ends all children, and with them what they are doing. */
  close(): Promise<void>;
}

export interface ParsePoolOptions {
  /** The most children at a time (2). */
  size?: number;
  /** A child that had nothing to do for so many milliseconds is ended (10,000). */
  idleMs?: number;
}

/** Starts nothing: children are started when they are first needed, kept, and replaced once they are no longer fit. */
export function openParsePool({ size = 2, idleMs = 10_000 }: ParsePoolOptions = {}): ParsePool {
  return new Pool(size, idleMs);
}

/** The place of one child. */
interface Place {
  child: ParseChild | null;
  isTaken: boolean;
  idle: NodeJS.Timeout | undefined;
}

class Pool implements ParsePool {
  readonly #idleMs: number;
  readonly #places: readonly Place[];
  readonly #waiting = new Set<(place: Place) => void>();
  /** All that have not exited yet. */
  readonly #children = new Set<ParseChild>();
  readonly #closing = new AbortController();

  constructor(size: number, idleMs: number) {
    this.#idleMs = idleMs;
    this.#places = Array.from({ length: size }, () => ({ child: null, isTaken: false, idle: undefined }));
  }

  async run<T>(moduleUrl: URL, payload: unknown, limits: ParseLimits): Promise<T> {
    const signal = AbortSignal.any([limits.signal, this.#closing.signal]);
    const place = await this.#take(limits.maxOldSpaceMb, signal);
    try {
      return (await this.#runAt(place, moduleUrl, payload, { ...limits, signal })) as T;
    } finally {
      this.#release(place);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new ProofroomError({ code: "cancelled", message: "The work was cancelled." }));
    for (const { idle } of this.#places) clearTimeout(idle);
    await Promise.all([...this.#children].map((child) => child.end()));
  }

  async #runAt(place: Place, moduleUrl: URL, payload: unknown, limits: ParseLimits): Promise<unknown> {
    for (let ends = 0; ; ) {
      if (place.child?.isFit !== true || place.child.maxOldSpaceMb !== limits.maxOldSpaceMb) {
        await this.#clear(place);
      }
      limits.signal.throwIfAborted();
      place.child ??= this.#start(limits.maxOldSpaceMb);
      const isFresh = !place.child.isUsed;
      try {
        return await place.child.run({ module: moduleUrl.href, payload }, limits);
      } catch (error) {
        if (!(error instanceof LostChild)) throw error;
        // It may have been what an earlier document left behind, or somebody who ended the child: a fresh one tells.
        if (error instanceof EndedChild ? ends > 0 : isFresh) throw error;
        ends += 1;
      } finally {
        if (!place.child.isFit) await this.#clear(place);
      }
    }
  }

  #start(maxOldSpaceMb: number): ParseChild {
    const child = new ParseChild(maxOldSpaceMb);
    this.#children.add(child);
    child.exited.then(() => this.#children.delete(child));
    return child;
  }

  async #clear(place: Place): Promise<void> {
    const { child } = place;
    place.child = null;
    await child?.end();
  }

  /** A free place, the one with a child that fits before an empty one; else the next that is released. */
  async #take(maxOldSpaceMb: number, signal: AbortSignal): Promise<Place> {
    signal.throwIfAborted();
    const free = this.#places.filter(({ isTaken }) => !isTaken);
    const place =
      free.find(({ child }) => child?.isFit === true && child.maxOldSpaceMb === maxOldSpaceMb) ??
      free.find(({ child }) => child === null) ??
      free[0] ??
      (await this.#nextReleased(signal));
    place.isTaken = true;
    clearTimeout(place.idle);
    return place;
  }

  #nextReleased(signal: AbortSignal): Promise<Place> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(onPlace);
        reject(signal.reason);
      };
      const onPlace = (place: Place) => {
        signal.removeEventListener("abort", onAbort);
        resolve(place);
      };
      this.#waiting.add(onPlace);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Hands the place to who has waited longest; it stays taken then. */
  #release(place: Place): void {
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      next(place);
      return;
    }
    place.isTaken = false;
    if (place.child !== null && !this.#closing.signal.aborted) {
      place.idle = setTimeout(() => this.#clear(place), this.#idleMs);
    }
  }
}
