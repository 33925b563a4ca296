import { geminiBody } from "@proofroom/testing";
import { describe, expect, it } from "vitest";
import { modelsText, question, useTestRouter } from "./testing/open-test-router.ts";

const place = useTestRouter();

const text = modelsText.replace(
  "key_setting: GEMINI_API_KEY",
  "key_setting: GEMINI_API_KEY, timeout_setting: GEMINI_TIMEOUT",
);

function open(settings: Record<string, string>) {
  return place.open({ text, settings: { ...place.settings(), ...settings } });
}

describe("the settings of an endpoint", () => {
  it("say how long a call of it may take", async () => {
    place.google.next({ after: new Promise(() => undefined) });
    const models = await open({ GEMINI_TIMEOUT: "0.03" });
    await expect(models.ask(question({ role: "transcriber" }))).rejects.toMatchObject({
      message: expect.stringContaining("first: timeout"),
    });
  });

  it.each([
    ["GEMINI_TIMEOUT", "soon-5b2e"],
    ["GEMINI_TIMEOUT", "0"],
    ["GEMINI_TIMEOUT", "3601"],
    ["GEMINI_BASE_URL", "proxy-5b2e"],
    ["OTHER_BASE_URL", "https://user:word-5b2e@models.dev"],
    ["OTHER_BASE_URL", "https://models.dev/?key=word-5b2e"],
  ])("are refused by name where one cannot be used, without showing it: %s", async (name, value) => {
    const error: unknown = await open({ [name]: value }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(name) });
    expect(String(error)).not.toContain("5b2e");
  });

  it.each([
    ["is never handed on in an answer that quotes it", "canary-0123456789-5b2e", false],
    ["stays in a text where it is a word that any server takes", "lm-studio-local-server", true],
    ["stays in a text where it is short", "ollama1", true],
  ])("of a key: it %s", async (_what, apiKey, stays) => {
    place.google.next({ body: geminiBody(JSON.stringify({ a: `Start ${apiKey} first.` })) });
    const models = await open({ GEMINI_API_KEY: apiKey });
    const answered = await models.ask(question());
    expect(JSON.stringify(answered).includes(apiKey)).toBe(stays);
  });
});
