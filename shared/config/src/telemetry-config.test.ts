import { expect, it } from "vitest";
import { parseEnv } from "./parse-env.ts";
import { telemetryConfig } from "./telemetry-config.ts";

const traces = (env: Record<string, string>) => parseEnv(telemetryConfig, env).traces;

it("sends traces nowhere, and captures nothing, where nothing is set", () => {
  const { otlp, langfuse, opik, captureContent } = traces({});
  expect([otlp, langfuse, opik, captureContent]).toEqual([undefined, undefined, undefined, false]);
});

it("takes the address for traces before the one for everything", () => {
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };
  expect(traces(all).otlp?.url).toBe("http://collector:4318/v1/traces");
  const one = { ...all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://jaeger:4318/own" };
  expect(traces(one).otlp?.url).toBe("http://jaeger:4318/own");
});

it("needs both keys of Langfuse, and names the one that is missing", () => {
  expect(() => traces({ LANGFUSE_PUBLIC_KEY: "pk" })).toThrow("LANGFUSE_SECRET_KEY: must be set");
});

it("knows where the hosted services are", () => {
  const { langfuse, opik } = traces({
    LANGFUSE_PUBLIC_KEY: "pk",
    LANGFUSE_SECRET_KEY: "a-secret",
    OPIK_API_KEY: "a-key",
  });
  expect(langfuse?.baseUrl).toBe("https://cloud.langfuse.com");
  expect(opik?.baseUrl).toBe("https://www.comet.com/opik/api");
  expect(JSON.stringify([langfuse, opik])).not.toContain("a-");
});
