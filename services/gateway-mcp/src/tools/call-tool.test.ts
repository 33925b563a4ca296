import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseArguments } from "./call-tool.ts";
import { defineTool } from "./tool.ts";

const tool = defineTool({
  name: "look",
  toolset: "runs",
  title: "Look",
  description: "Looks.",
  input: z.object({ run_id: z.string() }).strict(),
  output: z.object({}),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  run: async () => ({ text: "", structured: {} }),
});

function told(args: unknown): string {
  try {
    parseArguments(tool, args);
  } catch (error) {
    return (error as Error).message;
  }
  return "taken";
}

describe("arguments that do not fit", () => {
  it("are named", () => {
    expect(told({ run_id: 1 })).toMatch(/^run_id: /);
    expect(told({ run_id: "x", depth: 1 })).toContain("depth");
    expect(told({ run_id: "x" })).toBe("taken");
  });

  it("are quoted on one short line, without what steers a terminal", () => {
    for (const key of ["k".repeat(100_000), "\u001b[31m\u202e\ud800\nerror: forged".repeat(100)]) {
      const text = told({ run_id: "x", [key]: 1 });
      expect(text.length).toBeLessThan(400);
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    }
  });
});
