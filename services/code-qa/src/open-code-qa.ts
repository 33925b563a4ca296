import type { Models } from "@proofroom/models";
import type { Handlers } from "@proofroom/runtime";
import { type Logger, noTracing, type Tracing } from "@proofroom/telemetry";
import { createCodeQaHandlers } from "./handlers.ts";
import { lazyCodeTools } from "./lazy-code-tools.ts";
import { traceDriver } from "./sandbox/traced-driver.ts";

/** Opens the service as it is in use: its handlers, and what they hold until they are closed. */
export function openCodeQa({
  models,
  log,
  tracing = noTracing,
}: {
  models: Models;
  log: Logger;
  tracing?: Tracing;
}): {
  handlers: Handlers<"code-qa">;
  close(): Promise<void>;
} {
  const tools = lazyCodeTools({ log });
  const traced = async (signal: AbortSignal) => {
    const opened = await tools.open(signal);
    return { ...opened, driver: traceDriver(opened.driver, tracing) };
  };
  return {
    handlers: createCodeQaHandlers({ tools: traced, models }),
    close: () => tools.close(),
  };
}
