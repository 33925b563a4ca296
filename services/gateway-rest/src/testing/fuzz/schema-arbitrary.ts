import fc from "fast-check";

/** The part of JSON Schema in which the routes describe what they take. */
export interface Schema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  oneOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: unknown;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  description?: string;
  default?: unknown;
}

/** Values of a property by its name, that say more than its schema can: the ids of what is there. */
export type Known = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const understood: ReadonlySet<string> = new Set([
  ...["type", "const", "enum", "oneOf", "properties", "required", "additionalProperties", "items"],
  ...["minItems", "maxItems", "minLength", "maxLength", "pattern", "minimum", "maximum"],
  ...["description", "default"],
]);

/** Longer texts and lists are made by mutation. */
const usualLength = 40;

function text({ minLength = 0, maxLength = usualLength, pattern }: Schema): fc.Arbitrary<string> {
  const limits = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, usualLength)) };
  if (pattern === undefined) return fc.string({ unit: "binary", ...limits });
  const expression = new RegExp(pattern, "u");
  if (pattern.startsWith("^") && pattern.endsWith("$")) return fc.stringMatching(expression);
  return fc.string({ unit: "grapheme", ...limits }).filter((one) => expression.test(one));
}

/** @throws Error for a keyword that it does not know, lest it goes on making what the schema does not say */
export function valuesOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const unknown = Object.keys(schema).filter((keyword) => !understood.has(keyword));
  if (unknown.length > 0) throw new Error(`the generator does not know ${unknown.join(", ")}`);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.oneOf !== undefined) return fc.oneof(...schema.oneOf.map((one) => valuesOf(one, known)));
  switch (schema.type) {
    case "object": {
      const { properties = {}, required = [] } = schema;
      const parts = Object.entries(properties).map(([name, part]) => [
        name,
        known[name] ?? valuesOf(part, known),
      ]);
      return fc.record(Object.fromEntries(parts) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: [...required],
        noNullPrototype: true,
      });
    }
    case "array": {
      const { items = {}, minItems = 0, maxItems = 5 } = schema;
      return fc.array(valuesOf(items, known), { minLength: minItems, maxLength: Math.min(maxItems, 5) });
    }
    case "string":
      return text(schema);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000 });
    case "number":
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        min: schema.minimum ?? -Number.MAX_VALUE,
        max: schema.maximum ?? Number.MAX_VALUE,
      });
    default:
      return fc.jsonValue();
  }
}
