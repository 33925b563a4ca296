import { basename } from "node:path";
import { contentInput, contentOutput, parseSpan, type Tracing } from "@proofroom/telemetry";
import type { ParsePool } from "./parse-pool.ts";

/** As much of what a parser gets or gives as is told, in characters: what is far longer need not be made into text. */
const told = 32_768;

/** Bytes as the text that they mostly are. */
function shown(value: unknown): string {
  const text = JSON.stringify(value, (_name, part: unknown) => {
    if (part instanceof Uint8Array) return Buffer.from(part.subarray(0, told)).toString("utf8");
    return typeof part === "string" ? part.slice(0, told) : part;
  });
  return text ?? "";
}

/** The same pool, of whose work each piece is told: which parser, and how long with the wait for its turn. */
export function traceParsing(pool: ParsePool, tracing: Tracing): ParsePool {
  return {
    run: (moduleUrl, payload, limits) =>
      tracing.span(parseSpan(basename(moduleUrl.pathname, ".ts")), async (span) => {
        span.content(contentInput, () => shown(payload));
        const parsed = await pool.run<never>(moduleUrl, payload, limits);
        span.content(contentOutput, () => shown(parsed));
        return parsed;
      }),
    close: () => pool.close(),
  };
}
