import { setTimeout as pause } from "node:timers/promises";
import { ProofroomError } from "@proofroom/contracts";

/** How long a call waits for what it works with, in milliseconds: below the patience of every client. */
const patience = 20_000;

export interface Opening<Opened> {
  /**
   * What was opened; begins to open it where nobody has, or where that failed.
   * @throws ProofroomError dependency_down while it takes longer than a call may; what opening it failed with
   */
  get(): Promise<Opened>;
  /** What is open or is being opened at the moment, or undefined. */
  current(): Promise<Opened | undefined>;
}

/** Opens something that may take minutes, such as a server that has to be installed first, for callers that may not wait so long. */
export function openPatiently<Opened>(open: () => Promise<Opened>, waitMs = patience): Opening<Opened> {
  let opening: Promise<Opened> | undefined;

  function begin(): Promise<Opened> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return {
    async get() {
      const waited = new AbortController();
      const late = pause(waitMs, undefined, { signal: waited.signal }).then(() => {
        throw new ProofroomError({
          code: "dependency_down",
          message: "Proofroom is still starting.",
          remedy:
            "Call it again in a few seconds; what it starts or installs stands in its messages on stderr.",
        });
      });
      late.catch(() => undefined);
      try {
        return await Promise.race([begin(), late]);
      } finally {
        waited.abort();
      }
    },
    current: async () => opening?.catch(() => undefined),
  };
}
