import { z } from "zod";

type Json = { [key: string]: unknown };

/** Bounds of zod's integers that say nothing to a reader. */
const noise: ReadonlySet<unknown> = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== "object" || value === null) return value;
  const { type, ...rest } = value as Json;
  // Some model providers know one type at a time only.
  const single = Array.isArray(type) ? { ...rest, anyOf: type.map((one) => ({ type: one })) } : value;
  return Object.fromEntries(
    Object.entries(single)
      .filter(([key, member]) => !((key === "minimum" || key === "maximum") && noise.has(member)))
      .filter(([key, member]) => !(key === "additionalProperties" && isEmptyObject(member)))
      .map(([key, member]) => [key, tidy(member)]),
  );
}

/**
 * The JSON Schema (2020-12) of a zod object as the strictest clients take it: an object at the root, everything
 * in place (no `$ref`), no dialect named.
 */
export function jsonSchemaOf(schema: z.ZodObject, io: "input" | "output"): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io,
    reused: "inline",
  });
  return tidy(rest) as Json;
}
