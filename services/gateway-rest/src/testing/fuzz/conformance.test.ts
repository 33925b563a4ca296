import { describe, expect, it } from "vitest";
import { type ApiDocument, conformanceTo, type Operation } from "./conformance.ts";

function operationWith(schema: object): Operation {
  const content = { "application/json": { schema } };
  return { operationId: "look", parameters: [], responses: { 200: { content } } };
}

function documentOf(operation: Operation): ApiDocument {
  return { paths: { "/v1": { get: operation } }, components: { schemas: { Problem: { type: "object" } } } };
}

function faultOf(format: string, value: string): string | null {
  const operation = operationWith({ type: "string", format });
  const answer = {
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  };
  return conformanceTo(documentOf(operation)).faultOf(operation, "GET", answer);
}

describe("an answer", () => {
  it.each(["2026-01-31T23:59:59Z", "2026-01-31T23:59:59.123+01:00"])("may have the time %s", (time) => {
    expect(faultOf("date-time", time)).toBeNull();
  });

  it.each(["", "2026-01-31", "2026-02-30T00:00:00Z", "2026-01-31T25:00:00Z", "2026-01-31T00:00:00", "now"])(
    "that says %j is no time",
    (time) => {
      expect(faultOf("date-time", time)).toContain('must match format "date-time"');
    },
  );

  it("of a format that nothing here knows is not taken for right", () => {
    expect(() => faultOf("uri", "x")).toThrow("uri");
  });
});
