import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeModels } from "./describe-models.ts";

const text = readFileSync(new URL("../../../infra/models.yaml", import.meta.url), "utf8");

function describeWith(settings: Record<string, string>) {
  return describeModels({ text, name: "infra/models.yaml" }, (name) => settings[name]);
}

describe("the models that the repository ships", () => {
  it("need a key each, or an address and a name; without any of them the work needs no model", async () => {
    const { endpoints, roles } = await describeWith({});
    expect(endpoints.map(({ configured }) => configured)).toEqual([false, false, false]);
    const needed = endpoints.flatMap(({ settings }) => settings.filter(({ needed }) => needed));
    expect(needed.map(({ setting }) => setting)).toEqual([
      "GEMINI_API_KEY",
      "GROQ_API_KEY",
      "OPENAI_BASE_URL",
      "OPENAI_MODEL",
    ]);
    expect(roles.drafter).toEqual(["extractive"]);
    expect(roles.transcriber).toEqual([]);
  });

  it("are asked in the order of the cascade, as far as they are configured", async () => {
    const address = { OPENAI_BASE_URL: "http://localhost:11434/v1" };
    expect((await describeWith(address)).roles.drafter).toEqual(["extractive"]);
    const { roles } = await describeWith({ ...address, OPENAI_MODEL: "llama", GEMINI_API_KEY: "k" });
    expect(roles.drafter).toEqual(["gemini-flash", "gemini-flash-lite", "compatible", "extractive"]);
    expect(roles.transcriber).toEqual(["gemini-flash", "gemini-flash-lite"]);
  });

  it("are told with those of a cascade that are not set, and with the limits of those that are", async () => {
    const { cascades, limits } = await describeWith({ GROQ_API_KEY: "k" });
    expect(cascades.transcriber).toEqual(["gemini-flash", "gemini-flash-lite"]);
    expect([...limits.keys()]).toEqual(["groq-llama"]);
    expect(limits.get("groq-llama")).toMatchObject({ requests_per_minute: 30 });
  });
});
