import fc from "fast-check";
import type { Operation } from "./conformance.ts";
import { brokenBytes, brokenJson, hostileHeader, hostilePart, hostileQuery, hostileType } from "./hostile.ts";
import { type Known, type Schema, valuesOf } from "./schema-arbitrary.ts";
import type { Sent } from "./send.ts";

export interface Generated {
  sent: Sent;
  /** Whether all of it is as the document says, and names what is there. */
  valid: boolean;
  /** The JSON that it carries, where that is all that may be wrong with it. */
  json?: { value: unknown };
}

export interface Place {
  method: string;
  path: string;
  operation: Operation;
}

type Headers = Record<string, string>;

function encoded(name: string, value: unknown): string {
  const text = String(value);
  return name === "name" ? text.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(text);
}

function named(operation: Operation, where: "path" | "query" | "header", known: Known) {
  const parts = operation.parameters.filter((parameter) => parameter.in === where);
  const values = parts.map(({ name, schema }) => {
    const { pattern = "" } = schema;
    const there = known[name]?.filter((value) => new RegExp(pattern, "u").test(String(value)));
    return [name, there ?? valuesOf(schema, known)] as const;
  });
  const required = parts.filter((parameter) => parameter.required).map(({ name }) => name);
  return fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required,
    noNullPrototype: true,
  });
}

function queryOf(values: Record<string, unknown>): string {
  return new URLSearchParams(textsOf(values)).toString();
}

function textsOf(values: Record<string, unknown>): Headers {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** The bodies that the document says an operation takes: each with its media type. */
function bodiesOf(operation: Operation, known: Known) {
  const { content = {}, required = false } = operation.requestBody ?? {};
  const bodies = Object.entries(content).map(([type, { schema = { type: "string" } as Schema }]) =>
    valuesOf(schema, known).map((value) => ({
      type,
      value,
      text: type === "application/json" ? JSON.stringify(value) : String(value).toWellFormed(),
    })),
  );
  const none = fc.constant({ type: undefined, value: undefined, text: undefined });
  return fc.oneof(...bodies, ...(required && bodies.length > 0 ? [] : [none]));
}

function isJson(operation: Operation): boolean {
  return operation.requestBody?.content["application/json"] !== undefined;
}

interface Parts {
  path: Record<string, unknown>;
  query: string;
  headers: Headers;
  body?: string | Uint8Array | undefined;
}

function assemble({ method, path }: Place, { path: values, query, headers, body }: Parts): Sent {
  const at = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name];
    return value instanceof Raw ? value.text : encoded(name, value);
  });
  return { method, path: query === "" ? at : `${at}?${query}`, headers, body };
}

/** A part of a path that goes over the wire as it is. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Requests of one operation: as the document says, and such with one thing wrong. */
export function requestsOf(place: Place, known: Known, auth: Headers): fc.Arbitrary<Generated> {
  const { operation } = place;
  const parts = fc.record({
    path: named(operation, "path", known),
    query: named(operation, "query", known).map(queryOf),
    headers: named(operation, "header", known).map(textsOf),
    body: bodiesOf(operation, known),
  });
  const valid = parts.map(({ path, query, headers, body }): Parts & { json: unknown } => ({
    path,
    query,
    headers: { ...auth, ...headers, ...(body.type === undefined ? {} : { "content-type": body.type }) },
    body: body.text,
    json: body.value,
  }));
  const names = [
    "idempotency-key",
    "last-event-id",
    "range",
    "if-range",
    "if-match",
    "if-none-match",
    "accept",
  ];
  const wrongHeaders = fc.dictionary(fc.constantFrom(...names), hostileHeader, { minKeys: 1, maxKeys: 3 });
  const wrongDoor = fc.constantFrom<Headers>(
    ...[{ authorization: "" }, { authorization: "Bearer x" }, { authorization: "Basic eDp5" }],
    ...[{ authorization: "Bearer \u00e9" }, { host: "evil.example" }, { host: "a b" }, { host: "" }],
    ...[
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "\u00e9" },
      { "content-type": "\u00e9" },
    ],
  );
  const wrongBody = isJson(operation)
    ? brokenJson(bodiesOf(operation, known).map(({ value }) => value))
    : brokenBytes;

  const generated = (one: Parts): Generated => ({ sent: assemble(place, one), valid: false });
  const pathNames = operation.parameters
    .filter((parameter) => parameter.in === "path")
    .map(({ name }) => name);
  const wrong: fc.Arbitrary<Generated>[] = [
    fc.tuple(valid, hostileQuery).map(([one, query]) => generated({ ...one, query })),
    fc
      .tuple(valid, wrongHeaders)
      .map(([one, headers]) => generated({ ...one, headers: { ...one.headers, ...headers } })),
    fc
      .tuple(valid, wrongDoor)
      .map(([one, headers]) => generated({ ...one, headers: { ...one.headers, ...headers } })),
    fc
      .tuple(valid, hostileType)
      .map(([one, type]) => generated({ ...one, headers: { ...one.headers, "content-type": type } })),
  ];
  if (pathNames.length > 0) {
    wrong.push(
      fc
        .tuple(valid, fc.constantFrom(...pathNames), hostilePart)
        .map(([one, name, part]) => generated({ ...one, path: { ...one.path, [name]: new Raw(part) } })),
    );
  }
  if (operation.requestBody !== undefined) {
    wrong.push(
      fc.tuple(valid, wrongBody).map(([one, body]): Generated => {
        const value = typeof body === "string" ? parsed(body) : undefined;
        return {
          ...generated({ ...one, body }),
          ...(isJson(operation) && value !== undefined ? { json: value } : {}),
        };
      }),
    );
  }
  return fc.oneof(
    { weight: 2, arbitrary: valid.map((one) => ({ sent: assemble(place, one), valid: true })) },
    ...wrong.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
