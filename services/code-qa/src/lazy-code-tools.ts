import type { Logger } from "@proofroom/telemetry";
import { type CodeTools, openCodeTools } from "./code-tools.ts";

/** The interpreters and the sandbox of this process: found, and put to the self-test, when they are first needed. */
export interface LazyCodeTools {
  open(signal: AbortSignal): Promise<CodeTools>;
  close(): Promise<void>;
}

export function lazyCodeTools(options: { log: Logger; allow?: readonly ["none"] }): LazyCodeTools {
  let opened: Promise<CodeTools> | undefined;
  return {
    open(signal) {
      opened ??= openCodeTools({ ...options, signal }).catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    async close() {
      const tools = await opened?.catch(() => undefined);
      await tools?.close();
    },
  };
}
