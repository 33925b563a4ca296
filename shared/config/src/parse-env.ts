import type { z } from "zod";
import { ConfigError } from "./config-error.ts";

/** A frozen configuration, all the way down. */
export type Config<Schema extends z.ZodType> = Readonly<z.output<Schema>>;

/**
 * Parses environment variables once, by a schema put together from fragments (`homeConfig.and(redisConfig)`). An empty variable
 * counts as not set, as compose files and CI produce it.
 *
 * @throws {ConfigError} naming the first variable that is wrong
 */
export function parseEnv<Schema extends z.ZodType>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): Config<Schema> {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return freezeDeep(parsed.data);
  const issue = parsed.error.issues[0];
  const variable = String(issue?.path[0] ?? "environment");
  throw new ConfigError(variable, given[variable] === undefined ? "must be set" : reasonWithoutValue(issue));
}

/** zod's own messages can quote what was received; what is told comes from the schema alone, or was written in this package. */
function reasonWithoutValue(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case "custom":
      return issue.message;
    case "invalid_value":
      return `must be ${issue.values.map(String).join(" or ")}`;
    case "too_small":
      return `must be ${issue.minimum} or more`;
    case "too_big":
      return `must be ${issue.maximum} or less`;
    case "invalid_type":
      return issue.expected === "int" ? "must be a whole number" : `must be a ${issue.expected}`;
    default:
      return "has a value that is not allowed";
  }
}

function freezeDeep<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freezeDeep(part);
  }
  return value;
}
