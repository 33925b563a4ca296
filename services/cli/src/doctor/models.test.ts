import { readFileSync } from "node:fs";
import { describeModels } from "@proofroom/models";
import { expect, it } from "vitest";
import { callTimeouts, modelFindings } from "./models.ts";

const text = readFileSync(new URL("../../../../infra/models.yaml", import.meta.url), "utf8");

async function found(env: Record<string, string>, file = text) {
  const given = new Set(Object.keys(env));
  const setting = (name: string) => env[name];
  const description = await describeModels({ text: file, name: "models.yaml" }, setting);
  const findings = modelFindings(description, { given });
  return {
    of: (name: string) => findings.find((finding) => finding.name === name),
    timeouts: Object.fromEntries(callTimeouts(description, { setting, modelTimeoutMs: 240_000 })),
  };
}

it.each([
  [{}, "Set one of: GEMINI_API_KEY; GROQ_API_KEY; OPENAI_BASE_URL and OPENAI_MODEL."],
  [{ OPENAI_BASE_URL: "http://h/v1" }, "Set one of: GEMINI_API_KEY; GROQ_API_KEY; OPENAI_MODEL."],
])("without a model it is told what would make one, and nothing else: %j", async (env, fix) => {
  expect((await found(env)).of("Models")).toMatchObject({ state: "optional", fix });
});

it("of a drafter that has no model in the file no setting is promised", async () => {
  const file = text.replace(/^ {2}drafter: .*$/m, "  drafter: [extractive]");
  expect((await found({}, file)).of("Models")?.fix).toBe("Name a drafter in the models file.");
});

it("models that are set are named, and with a file of one's own what may be sent to each", async () => {
  const shipped = await found({ GROQ_API_KEY: "k" });
  expect(shipped.of("Models")).toEqual({ name: "Models", state: "ok", what: "groq-llama" });
  expect(shipped.of("model groq-llama")).toBeUndefined();
  const own = await found({
    GROQ_API_KEY: "k",
    OPENAI_BASE_URL: "http://h",
    OPENAI_MODEL: "m",
    PROOFROOM_MODELS: "f",
  });
  expect(own.of("model groq-llama")?.what).toBe(
    "30 requests a minute, 12000 tokens a minute, 1000 requests a day, 100000 tokens a day",
  );
  expect(own.of("model compatible")?.what).toBe("no limits");
  expect(own.of("model gemini-flash")).toBeUndefined();
});

it("the time that a call may take is each provider's own, where it has one", async () => {
  const { timeouts } = await found({ GROQ_TIMEOUT: "5" });
  expect(timeouts).toEqual({ GEMINI_TIMEOUT: "240 s", GROQ_TIMEOUT: "5 s", OPENAI_TIMEOUT: "240 s" });
});
