import type { CommandContext } from "../commands/context.ts";
import type { Finding } from "./finding.ts";

/** The settings of traces, and what each does. */
const settings: readonly (readonly [string, string])[] = [
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "it has traces sent to any backend that takes OTLP"],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "the same, as a whole address"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "headers that such a backend wants"],
  ["OTEL_SERVICE_NAME", "what it is by default counts"],
  ["LANGFUSE_PUBLIC_KEY", "with its secret it has traces sent to Langfuse"],
  ["LANGFUSE_SECRET_KEY", "it belongs to LANGFUSE_PUBLIC_KEY"],
  ["LANGFUSE_BASE_URL", "what it is by default counts"],
  ["OPIK_API_KEY", "it has traces sent to Opik in the cloud"],
  ["OPIK_URL_OVERRIDE", "it has traces sent to an Opik of your own"],
  ["OPIK_WORKSPACE", "what Opik takes by default counts"],
  ["OPIK_PROJECT_NAME", "what Opik takes by default counts"],
  ["PROOFROOM_CAPTURE_CONTENT", "traces hold no prompts and no answers"],
];

/** What is set of where traces go beside the runs. */
export function traceFindings({ settings: { given } }: Pick<CommandContext, "settings">): Finding[] {
  return settings.map(([name, what]) =>
    given.has(name)
      ? { name, state: "ok", what: "set" }
      : { name, state: "optional", what: `not set; ${what}` },
  );
}
