import { z } from "zod";
import { baseUrl } from "./provider-fields.ts";
import { secretText } from "./secret.ts";

const langfuseCloud = "https://cloud.langfuse.com";
const opikCloud = "https://www.comet.com/opik/api";

/**
 * Where traces are sent: to any backend that speaks OTLP over HTTP, to Langfuse, to Opik; to several at once. Langfuse and Opik take
 * the variables of their own libraries.
 */
export const telemetryConfig = z
  .object({
    OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: baseUrl.optional(),
    OTEL_EXPORTER_OTLP_HEADERS: secretText.optional(),
    OTEL_SERVICE_NAME: z.string().max(200).optional(),
    LANGFUSE_BASE_URL: baseUrl.optional(),
    LANGFUSE_PUBLIC_KEY: z.string().optional(),
    LANGFUSE_SECRET_KEY: secretText.optional(),
    OPIK_URL_OVERRIDE: baseUrl.optional(),
    OPIK_API_KEY: secretText.optional(),
    OPIK_WORKSPACE: z.string().optional(),
    OPIK_PROJECT_NAME: z.string().optional(),
    PROOFROOM_CAPTURE_CONTENT: z.enum(["on", "off"]).default("off"),
  })
  .superRefine((env, context) => {
    const halves = ["LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY"] as const;
    const [missing, other] = halves.filter((name) => env[name] === undefined);
    if (missing !== undefined && other === undefined)
      context.addIssue({ code: "custom", path: [missing], message: "must be set with its other half" });
  })
  .transform((env) => {
    const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
    const url =
      env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base === undefined ? undefined : `${base}/v1/traces`);
    const { LANGFUSE_PUBLIC_KEY: publicKey, LANGFUSE_SECRET_KEY: secretKey } = env;
    const isOpik = env.OPIK_URL_OVERRIDE !== undefined || env.OPIK_API_KEY !== undefined;
    return {
      traces: {
        serviceName: env.OTEL_SERVICE_NAME,
        captureContent: env.PROOFROOM_CAPTURE_CONTENT === "on",
        otlp: url === undefined ? undefined : { url, headers: env.OTEL_EXPORTER_OTLP_HEADERS },
        langfuse:
          publicKey === undefined || secretKey === undefined
            ? undefined
            : { baseUrl: env.LANGFUSE_BASE_URL ?? langfuseCloud, publicKey, secretKey },
        opik: isOpik
          ? {
              baseUrl: env.OPIK_URL_OVERRIDE ?? opikCloud,
              apiKey: env.OPIK_API_KEY,
              workspace: env.OPIK_WORKSPACE,
              project: env.OPIK_PROJECT_NAME,
            }
          : undefined,
      },
    };
  });
