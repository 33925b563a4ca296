import { type Capability, ProofroomError } from "@proofroom/contracts";
import { type Command, Option } from "commander";
import { z } from "zod";
import type { RunCommand } from "../commands/context.ts";
import { jsonOption } from "./options.ts";

interface FieldSchema {
  type?: string;
  enum?: unknown[];
  description?: string;
  items?: FieldSchema;
}

/** The input's fields as JSON Schema tells them: what options are made of. */
function fieldsOf(capability: Capability): [string, FieldSchema][] {
  const schema = z.toJSONSchema(capability.input, { io: "input" }) as {
    properties?: Record<string, FieldSchema>;
  };
  return Object.entries(schema.properties ?? {});
}

function optionFor(name: string, field: FieldSchema): Option {
  const flag = `--${name.replaceAll("_", "-")}`;
  if (field.type === "boolean")
    return new Option(`${flag} <true|false>`, field.description).argParser((text) => text === "true");
  if (field.type === "integer" || field.type === "number")
    return new Option(`${flag} <n>`, field.description).argParser(Number);
  if (field.type === "array")
    return new Option(`${flag} <text>`, "may be given several times").argParser(
      (text, sofar: string[] = []) => [...sofar, text],
    );
  const option = new Option(`${flag} <text>`, field.description);
  return field.enum === undefined ? option : option.choices(field.enum.map(String));
}

function inputOf(
  fields: readonly [string, FieldSchema][],
  flags: Record<string, unknown>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  if (typeof flags["input"] === "string") {
    try {
      Object.assign(input, z.record(z.string(), z.unknown()).parse(JSON.parse(flags["input"])));
    } catch (cause) {
      throw new ProofroomError({
        code: "invalid_input",
        message: "--input is not a JSON object.",
        remedy: `For example: --input '{"round": 1}'`,
        cause,
      });
    }
  }
  for (const [name] of fields) {
    const value = flags[name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())];
    if (value !== undefined) input[name] = value;
  }
  return input;
}

/** Adds one subcommand per capability, with its options, all from the catalog. */
export function addToolCommands(parent: Command, capabilities: readonly Capability[], run: RunCommand): void {
  for (const capability of capabilities) {
    const fields = fieldsOf(capability);
    const command = parent
      .command(capability.name)
      .summary(capability.title)
      .description(
        `${capability.summary}${capability.needs === undefined ? "" : `\nNeeds ${capability.needs.join(", ")}.`}`,
      )
      .requiredOption("--run <run>", "the run to work on")
      .option("--input <json>", "the whole input as JSON")
      .option("--force", "execute again although the result stands")
      .addOption(jsonOption());
    for (const [name, field] of fields) command.addOption(optionFor(name, field));
    command.action((flags: Record<string, unknown>) =>
      run(flags, async (context) => {
        const { toolCommand } = await import("../commands/tool.ts");
        const input = inputOf(fields, flags);
        return toolCommand(context, {
          capability,
          runId: String(flags["run"]),
          input,
          force: flags["force"] === true,
        });
      }),
    );
  }
}
