import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseModelsFile } from "./models-file.ts";
import { roles } from "./roles.ts";

const shipped = readFileSync(new URL("../../../infra/models.yaml", import.meta.url), "utf8");

/** The line on which a text stands first. */
function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split("\n").length;
}

describe("the models file", () => {
  it("that is shipped can be read, and every role but the transcriber goes on without any model", async () => {
    const file = await parseModelsFile(shipped, "models.yaml");
    for (const role of roles) {
      expect(file.roles[role].at(-1)).toBe(role === "transcriber" ? "gemini-flash-lite" : "extractive");
    }
    expect(file.models.get("gemini-flash")).toMatchObject({ name: "gemini-flash", video: true });
  });

  it.each([
    ["output: 8192", "output: 99999", "output: 99999", "is larger than context"],
    ["endpoint: groq", "endpoint: grok", "endpoint: grok", "there is no endpoint grok"],
    ["model_setting: OPENAI_MODEL", "", "  compatible:\n    endpoint", "needs model, or model_setting"],
    ["drafter: [gemini-flash,", "drafter: [gemini-flesh,", "drafter:", "there is no model gemini-flesh"],
    ["drafter: [gemini-flash,", "drafter: [extractive, gemini-flash,", "drafter:", "nothing is asked after"],
    ["transcriber: [gemini-flash,", "transcriber: [groq-llama,", "transcriber:", "does not watch videos"],
    ["cleaner: [gemini-flash-lite,", "cleaner: [groq-llama,", "cleaner:", "is there twice"],
    ["keyless: true", "keyles: true", "keyles: true", "keyles"],
    ["context: 32768", "context: many", "context: many", "context"],
    ["  groq:\n", "  groq: {\n", "  groq: {", ""],
  ])("with %j as %j is refused with the line and the reason", async (from, to, at, reason) => {
    const text = shipped.replace(from, to);
    expect(text).not.toBe(shipped);
    const error: Error = await parseModelsFile(text, "models.yaml").then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    expect(error).toMatchObject({ code: "invalid_input" });
    expect(error.message).toContain(reason);
    const line = Number(/line (\d+)/.exec(error.message)?.[1]);
    expect(Math.abs(line - lineOf(text, at))).toBeLessThanOrEqual(3);
  });

  it.each(["", "[]", "roles: {}", "a: *b", "a: &a [*a, *a]", "--- 1\n--- 2"])(
    "%j is refused",
    async (text) => {
      await expect(parseModelsFile(text, "f")).rejects.toMatchObject({ code: "invalid_input" });
    },
  );

  it("is refused or read whatever stands in it, never anything else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 200 }), fc.nat(shipped.length), async (noise, at) => {
        const text = shipped.slice(0, at) + noise + shipped.slice(at + noise.length);
        await parseModelsFile(text, "f").catch((error) =>
          expect(error).toMatchObject({ code: "invalid_input" }),
        );
      }),
      { numRuns: 60 },
    );
  });
});
