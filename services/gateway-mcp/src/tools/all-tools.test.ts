import { publicCapabilities } from "@proofroom/contracts";
import { describe, expect, it } from "vitest";
import { parseToolsets, toolsetNames } from "../toolsets.ts";
import { allTools } from "./all-tools.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import type { Tool } from "./tool.ts";

const tools = allTools(new Set(toolsetNames));

function schemasOf(tool: Tool) {
  return [jsonSchemaOf(tool.input, "input"), jsonSchemaOf(tool.output, "output")];
}

/** Every object within a schema, itself included. */
function* nodes(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const member of Object.values(value)) yield* nodes(member);
}

describe("the tools", () => {
  it("are every public capability and the tools around them, below the forty at which some clients stop", () => {
    const names = tools.map(({ name }) => name);
    for (const { name } of publicCapabilities()) expect(names).toContain(name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeLessThan(35);
  });

  it("do not change unnoticed: what a client's user has approved is what it stays", () => {
    const shown = tools.map((tool) => ({ ...tool, input: schemasOf(tool)[0], output: schemasOf(tool)[1] }));
    expect(shown.map(({ run: _run, ...rest }) => rest)).toMatchSnapshot();
  });

  it.each(tools)("$name has a name that every client takes and a description that none cuts", (tool) => {
    expect(tool.name).toMatch(/^[a-z0-9_]{1,40}$/);
    expect(tool.title.length).toBeGreaterThan(0);
    expect(tool.description.length).toBeGreaterThan(20);
    expect(tool.description.length).toBeLessThan(1_800);
  });

  it.each(tools)("$name states all four hints", ({ hints }) => {
    const stated = [hints.readOnly, hints.destructive, hints.idempotent, hints.openWorld];
    expect(stated.map((hint) => typeof hint)).toEqual(["boolean", "boolean", "boolean", "boolean"]);
  });

  it.each(tools)("$name has schemas that the strictest clients take", (tool) => {
    for (const schema of schemasOf(tool)) {
      expect(schema["type"]).toBe("object");
      expect(Object.keys(schema["properties"] ?? {}).length).toBeGreaterThan(0);
      for (const root of ["oneOf", "anyOf", "allOf"]) expect(schema).not.toHaveProperty(root);
      for (const node of nodes(schema)) {
        for (const key of ["$ref", "$defs", "$schema", "definitions", "prefixItems"])
          expect(node).not.toHaveProperty(key);
        expect(Array.isArray(node["type"])).toBe(false);
        expect(node["items"]).not.toBe(false);
        expect(Array.isArray(node["items"])).toBe(false);
      }
    }
  });
});

describe("toolsets", () => {
  it("offer everything without a choice, and the tools for jobs with whatever starts jobs", () => {
    expect(parseToolsets(null)).toEqual(new Set(toolsetNames));
    expect(parseToolsets("writer, critic")).toEqual(new Set(["writer", "critic", "jobs"]));
    expect(parseToolsets("runs")).toEqual(new Set(["runs"]));
  });

  it("that do not exist are refused without being quoted", () => {
    expect(() => parseToolsets("research,<script>")).toThrow(/^There is no such toolset\.$/);
  });
});
