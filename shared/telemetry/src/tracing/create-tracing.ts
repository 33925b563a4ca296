import type { Tracing } from "./tracing.ts";
import type { TracingOptions } from "./tracing-options.ts";

/** Begins to trace this process. The libraries are loaded only now. */
export async function createTracing(options: TracingOptions): Promise<Tracing> {
  const { createSdkTracing } = await import("./sdk-tracing.ts");
  return createSdkTracing(options);
}
