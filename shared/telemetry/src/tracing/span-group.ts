import type { ReadableSpan } from "@opentelemetry/sdk-trace";

/** Spans of one piece of work; further ones inside it are not made. */
const spansAtMost = 1_000;

/**
 * The spans that begin and end within one piece of work of this process: a request, an attempt of a job. They are handed on
 * together when it ends. Of a process that dies on the way nothing is told rather than spans whose parents are missing.
 */
export interface SpanGroup {
  /** Whether another span may be made. Told by what has begun: of what is made, all parents are. */
  admit(): boolean;
  /** A span of it has ended. */
  add(span: ReadableSpan): void;
  /** Names the run that it is part of; the first that is named counts. */
  assign(runId: string | undefined): void;
  /** Says that the trace of a run can be put together once this has ended. */
  completes(runId: string): void;
  end(): void;
}

export interface EndedGroup {
  spans: readonly ReadableSpan[];
  run: string | undefined;
  completed: string | undefined;
}

export function createSpanGroup(onEnd: (ended: EndedGroup) => void): SpanGroup {
  let begun = 0;
  let run: string | undefined;
  let completed: string | undefined;
  let ended = false;
  const spans: ReadableSpan[] = [];
  return {
    admit() {
      begun += 1;
      return begun <= spansAtMost;
    },
    add(span) {
      if (ended) onEnd({ spans: [span], run, completed: undefined });
      else spans.push(span);
    },
    assign(runId) {
      run ??= runId;
    },
    completes(runId) {
      completed = runId;
    },
    end() {
      if (ended) return;
      ended = true;
      onEnd({ spans: spans.splice(0), run, completed });
    },
  };
}
