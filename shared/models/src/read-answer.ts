import { z } from "zod";
import type { ModelReply } from "./request.ts";
import { withoutFence, withoutThoughts } from "./unwrap.ts";

/** What an answer must be. */
export type Expectation<T> =
  | { kind: "json"; schema: z.ZodType<T>; check?(value: T): string | null }
  | { kind: "text"; parse(text: string): T | Flawed | Promise<T | Flawed> };

/**
 * Why an answer cannot be used. `truncated`: cut off at its limit. `unfinished`: the stream had no end. `blocked`: the
 * provider refused. `empty`: it says nothing. `not_json`, `off_schema`: its form. `unfit`: its content, by the caller's own
 * check.
 */
export type Flaw = "truncated" | "unfinished" | "blocked" | "empty" | "not_json" | "off_schema" | "unfit";

export class Flawed {
  readonly flaw: Flaw;
  /** What the model is told when it is asked once more. */
  readonly hint: string;

  constructor(flaw: Flaw, hint: string) {
    this.flaw = flaw;
    this.hint = hint;
  }
}

/** The first JSON object or array in a text, by its brackets; null where there is none. */
function jsonIn(text: string): unknown {
  const plain = withoutFence(text);
  const start = plain.search(/[{[]/);
  const end = Math.max(plain.lastIndexOf("}"), plain.lastIndexOf("]"));
  for (const candidate of [plain, plain.slice(Math.max(start, 0), end + 1)]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (typeof value === "object" && value !== null) return value;
    } catch {
      // The next candidate may be.
    }
  }
  return null;
}

function readJson<T>(text: string, { schema, check }: Extract<Expectation<T>, { kind: "json" }>): T | Flawed {
  const json = jsonIn(text);
  if (json === null) return new Flawed("not_json", "It was not valid JSON.");
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return new Flawed(
      "off_schema",
      `It does not keep to the schema: ${issue?.path.join(".") || "root"}: ${issue?.message}.`,
    );
  }
  const unfit = check?.(parsed.data) ?? null;
  return unfit === null ? parsed.data : new Flawed("unfit", unfit);
}

/** Reads an answer as it was expected, or says what is wrong with it: nothing passes in silence. */
export async function readAnswer<T>(reply: ModelReply, expected: Expectation<T>): Promise<T | Flawed> {
  if (reply.finish === "blocked") return new Flawed("blocked", "It was blocked.");
  if (reply.finish === "length")
    return new Flawed("truncated", "It was too long and cut off. Be much shorter.");
  if (reply.finish === "open") return new Flawed("unfinished", "It broke off.");
  const text = withoutThoughts(reply.text);
  if (text === "") return new Flawed("empty", "It was empty.");
  return expected.kind === "json" ? readJson(text, expected) : expected.parse(text);
}

/** The JSON Schema of an expectation, with no dialect named and nothing referenced: what every provider takes. */
export function schemaOf<T>(expected: Expectation<T>): Record<string, unknown> | undefined {
  if (expected.kind === "text") return undefined;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(expected.schema, { io: "input", reused: "inline" });
  return schema;
}
