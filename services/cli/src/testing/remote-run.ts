/** A run as a gateway describes one of which there is nothing to say. */
export function remoteRun(runId: string, status: string) {
  return {
    run_id: runId,
    title: "T",
    created_at: "2026-01-05T09:00:00.000Z",
    status,
    waiting_until: null,
    article: null,
    reasons: [],
    error: null,
    failed_step: null,
    steps: [],
    cost: null,
  };
}
