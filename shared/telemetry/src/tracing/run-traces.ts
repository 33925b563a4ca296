import type { SpanRecord } from "./span-record.ts";

/** Keeps the spans of runs with the runs, however many processes write at once. */
export interface RunTraceStore {
  /** Adds spans to what is kept of a run. */
  add(runId: string, spans: readonly SpanRecord[]): Promise<void>;
  /** Puts everything that is kept of a run together. */
  compose(runId: string): Promise<void>;
}

/** Gathers the spans of runs, so that few files are written. */
export interface RunTraces {
  add(runId: string, spans: readonly SpanRecord[]): void;
  /** Has the trace put together after what is there is written. */
  compose(runId: string): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

interface Pending {
  spans: SpanRecord[];
  ends: boolean;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void>;
}

/** Steps end in quick succession: what came meanwhile goes into one file. Milliseconds. */
const gatherMs = 25;

/** @param onTrouble told of what could not be written; it is lost */
export function createRunTraces(store: RunTraceStore, onTrouble: (error: unknown) => void): RunTraces {
  const runs = new Map<string, Pending>();

  async function write(runId: string, pending: Pending): Promise<void> {
    const spans = pending.spans.splice(0);
    const { ends } = pending;
    pending.ends = false;
    try {
      if (spans.length > 0) await store.add(runId, spans);
      if (ends) await store.compose(runId);
    } catch (error) {
      onTrouble(error);
    }
  }

  function flush(runId: string, pending: Pending): void {
    clearTimeout(pending.timer);
    pending.timer = undefined;
    pending.writing = pending.writing
      .then(() => write(runId, pending))
      .then(() => {
        const isIdle = pending.spans.length === 0 && !pending.ends && pending.timer === undefined;
        if (isIdle && runs.get(runId) === pending) runs.delete(runId);
      });
  }

  function touch(runId: string): Pending {
    const known = runs.get(runId);
    const pending = known ?? { spans: [], ends: false, timer: undefined, writing: Promise.resolve() };
    runs.set(runId, pending);
    pending.timer ??= setTimeout(() => flush(runId, pending), gatherMs).unref();
    return pending;
  }

  return {
    add: (runId, spans) => void touch(runId).spans.push(...spans),
    compose(runId) {
      touch(runId).ends = true;
    },
    async close() {
      const all = [...runs].map(([runId, pending]) => {
        flush(runId, pending);
        return pending.writing;
      });
      await Promise.all(all);
    },
  };
}
