import type { SandboxDriver } from "@proofroom/code-qa";
import type { Logger } from "@proofroom/telemetry";

/** The sandbox of this process: chosen, and put to its self-test, when it is first needed. */
export interface Sandbox {
  driver(signal: AbortSignal): Promise<SandboxDriver>;
  close(): Promise<void>;
}

export function openSandbox(log: Logger): Sandbox {
  let chosen: Promise<SandboxDriver> | undefined;
  return {
    driver(signal) {
      chosen ??= import("@proofroom/code-qa")
        .then(({ selectDriver }) => selectDriver({ log, signal }))
        .catch((error: unknown) => {
          chosen = undefined;
          throw error;
        });
      return chosen;
    },
    async close() {
      const driver = await chosen?.catch(() => undefined);
      await driver?.close();
    },
  };
}
