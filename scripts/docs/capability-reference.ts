import { type Capability, publicCapabilities } from "@proofroom/contracts";
import { z } from "zod";

interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  default?: unknown;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array")
    return `list of ${schema.items === undefined ? "values" : typeOf(schema.items)}`;
  return String(schema.type ?? "value");
}

function fields(title: string, schema: JsonSchema): string[] {
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0) return [`${title}: none.`, ""];
  const required = new Set(schema.required ?? []);
  const rows = entries.map(([name, field]) => {
    const notes = [
      title === "Input" && !required.has(name) ? "optional" : "",
      field.default === undefined ? "" : `default \`${JSON.stringify(field.default)}\``,
    ].filter((note) => note !== "");
    return `| \`${name}\` | ${typeOf(field).replaceAll("|", "\\|")} | ${notes.join(", ")} |`;
  });
  return [`${title}:`, "", "| field | type | |", "| --- | --- | --- |", ...rows, ""];
}

function names(artifacts: readonly string[]): string {
  return artifacts.length === 0 ? "nothing" : artifacts.map((name) => `\`${name}\``).join(", ");
}

function section(capability: Capability): string[] {
  const { policy, hints } = capability;
  const hinted = Object.entries(hints)
    .filter(([, holds]) => holds)
    .map(([hint]) => hint);
  return [
    `## ${capability.name}`,
    "",
    `**${capability.title}** (${capability.owner}). ${capability.summary}`,
    "",
    ...(capability.needs === undefined
      ? []
      : [
          `Needs ${capability.needs.map((name) => `\`${name}\``).join(", ")}; without it the answer is the error \`not_configured\`.`,
          "",
        ]),
    ...fields("Input", z.toJSONSchema(capability.input, { io: "input" }) as JsonSchema),
    ...fields("Output", z.toJSONSchema(capability.output) as JsonSchema),
    `Reads ${names(capability.reads)}; writes ${names(capability.writes)}.`,
    `Up to ${policy.attempts} attempts of ${policy.timeoutMs / 1_000} s each. Hints: ${hinted.length === 0 ? "none" : hinted.join(", ")}.`,
    "",
  ];
}

/** The reference page of all public capabilities, from the catalog alone. */
export function capabilityReference(): string {
  return [
    "# Capabilities",
    "",
    "Every capability takes a run and works on its artifacts: `proofroom tool NAME --run RUN`. This page is made from the catalog by `npm run docs`.",
    "",
    ...publicCapabilities().flatMap(section),
  ].join("\n");
}
