import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isSecretSetting } from "@proofroom/telemetry";
import { expect, it } from "vitest";

const checkout = fileURLToPath(new URL("../../..", import.meta.url));
const read = (file: string) => readFileSync(join(checkout, file), "utf8");

/** Where settings are declared: as the keys of schemas, and in the models file. */
const declared = [
  "shared/config/src/*-config.ts",
  "shared/access/src/*config.ts",
  "services/*/src/**/{settings,*-config}.ts",
];

const shown = () =>
  [...read(".env.example").matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name ?? "");

/** What the containers have set for them or made, or have no use for. */
const notPassedOn = [
  /^PROOFROOM_(HOME|NO_INSTALL|CHROMIUM|MODELS|QUEUES|API_KEY|(HEALTH|REST|MCP)_HOST|HEALTH_PORT)$/,
  // Redis and S3 are the stack's own.
  /^REDIS_(TLS|SENTINEL)_/,
  /^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)$/,
  // Most services have no way out: traces go to the collector, which sends them on.
  /^(LANGFUSE|OPIK)_/,
  /^OTEL_(EXPORTER_OTLP_TRACES_ENDPOINT|SERVICE_NAME)$/,
];

it("the containers are passed every setting that they can use", () => {
  const compose = read("docker-compose.yml");
  const missing = shown().filter((name) => !new RegExp(`^ +${name}:|\\$\\{${name}:`, "m").test(compose));
  expect(missing.filter((name) => !notPassedOn.some((pattern) => pattern.test(name)))).toEqual([]);
});

it(".env.example names every setting that is read, and none that is not", () => {
  const files = globSync(declared, { cwd: checkout });
  const keys = files.flatMap((file) => [...read(file).matchAll(/\b([A-Z][A-Z0-9]*_[A-Z0-9_]+):/g)]);
  const named = [...read("infra/models.yaml").matchAll(/_setting: ([A-Z_]+)/g)];
  const settings = new Set([...keys, ...named].map(([, name]) => name));
  // npm sets it.
  settings.delete("INIT_CWD");
  expect(shown().toSorted()).toEqual([...settings].sort());
});

it("every setting that is read as a secret has a name by which it is known as one, and is kept out of traces", () => {
  const files = globSync(declared, { cwd: checkout });
  const kept = files.flatMap((file) => [
    ...read(file).matchAll(/\b([A-Z][A-Z0-9_]+): (?:secretText|apiKey|apiKeys|operatorKeys|token)\b/g),
    ...read(file).matchAll(/new Secret\(env\.([A-Z_]+)\)/g),
  ]);
  const keys = read("infra/models.yaml").matchAll(/key_setting: ([A-Z_]+)/g);
  const secrets = [...kept, ...keys].map(([, name]) => name ?? "");
  expect(secrets.length).toBeGreaterThan(15);
  expect(secrets.filter((name) => !isSecretSetting(name))).toEqual([]);
});
