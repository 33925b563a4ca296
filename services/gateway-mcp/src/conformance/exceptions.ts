/** Checks that cannot succeed, and why. */
export interface Exceptions {
  because: string;
  checks: readonly string[];
}

/** The checks of each set of requirements that may not succeed. The test fails for any other, and for one of these that does. */
export const exceptions: Readonly<Record<"2026-07-28" | "2025-11-25", readonly Exceptions[]>> = {
  "2026-07-28": [
    {
      because: "The lists of tools and prompts never change while the gateway runs.",
      checks: [
        "server-stateless: sep-2575-server-sends-prompts-list-changed-on-subscription: SKIPPED",
        "server-stateless: sep-2575-server-sends-tools-list-changed-on-subscription: SKIPPED",
      ],
    },
    {
      because: "The suite itself leaves this out until it reads the right stream.",
      checks: ["tasks-status-notifications: tasks-status-notifications: SKIPPED"],
    },
  ],
  "2025-11-25": [
    {
      because:
        "A stateless server of this revision cannot ask during a call: nothing would tie the answer to it.",
      checks: [
        "elicitation-sep1034-defaults: elicitation-sep1034-general: FAILURE",
        "elicitation-sep1330-enums: elicitation-sep1330-general: FAILURE",
        "tools-call-elicitation: tools-call-elicitation: FAILURE",
        "tools-call-sampling: tools-call-sampling: FAILURE",
      ],
    },
    {
      because: "Logs are the operator's; a stateless server would forget the level that was set, too.",
      checks: [
        "logging-set-level: logging-set-level: FAILURE",
        "tools-call-with-logging: tools-call-with-logging: FAILURE",
      ],
    },
    {
      because: "A stateless server has no stream on which it could tell of changes later.",
      checks: [
        "resources-subscribe: resources-subscribe: FAILURE",
        "resources-unsubscribe: resources-unsubscribe: FAILURE",
      ],
    },
    {
      because:
        "There are no sessions and no streams to take up again: job_wait finds the work of a lost call.",
      checks: [
        "server-sse-multiple-streams: server-sse-multiple-streams-session: WARNING",
        "server-sse-polling: server-sse-polling-session: WARNING",
        "server-sse-polling: server-sse-priming-event: WARNING",
        "server-sse-polling: server-sse-retry-field: WARNING",
      ],
    },
  ],
};
