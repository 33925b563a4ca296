/** Whose work is done, as lines of the log and spans name it. */
export interface TraceIds {
  run?: string | undefined;
  job?: string | undefined;
}

/** The fields of a line of the log. */
export function logFields({ run, job, trace }: TraceIds & { trace?: string }): Record<string, string> {
  return {
    ...(run === undefined ? {} : { run_id: run }),
    ...(job === undefined ? {} : { job_id: job }),
    ...(trace === undefined ? {} : { trace_id: trace }),
  };
}
