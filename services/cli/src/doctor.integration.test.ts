import { makeTempFolder, startFakeProvider, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Finding } from "./doctor/finding.ts";
import { runCli } from "./testing/run-cli.ts";

let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(() => folder.close());

async function doctor(args: readonly string[], env: Record<string, string> = {}) {
  const done = await runCli(["doctor", ...args, "--json"], { home: folder.path, env });
  const { findings } = JSON.parse(done.stdout) as { findings: Finding[] };
  return { ...done, of: (name: string) => findings.find((finding) => finding.name === name) };
}

describe("proofroom doctor", () => {
  it("lists what is set and what is not, and which roles have a model", async () => {
    const { of, code } = await doctor([], { GEMINI_API_KEY: "canary-5b2e91" });
    expect(of("GEMINI_API_KEY")).toMatchObject({ state: "ok", what: "set" });
    expect(of("GROQ_API_KEY")).toMatchObject({ state: "optional", what: "not set; it enables groq-llama" });
    for (const setting of ["GROQ_BASE_URL", "OPENAI_API_KEY", "TAVILY_API_KEY", "TAVILY_BASE_URL"])
      expect(of(setting)).toBeDefined();
    expect(of("role drafter")?.what).toBe("gemini-flash → gemini-flash-lite → extractive");
    expect(of("gemini (online)")).toBeUndefined();
    expect(code).toBe(0);
  });

  it("asks the providers that are set only with --online, and tells one that refuses the key from one that is away", async () => {
    const key = "canary-5b2e91";
    const fake = await startFakeProvider(({ path, headers }) =>
      path === "/v1beta/models" && headers["x-goog-api-key"] === key
        ? { body: { models: [] } }
        : { status: 401, body: { error: { message: `${key} is not known` } } },
    );
    const env = {
      GEMINI_API_KEY: key,
      GEMINI_BASE_URL: fake.base,
      GROQ_API_KEY: key,
      GROQ_BASE_URL: `${fake.base}/openai/v1`,
      ARXIV_BASE_URL: fake.base,
    };
    try {
      expect((await doctor([], env)).code).toBe(0);
      expect(fake.requests).toHaveLength(0);
      const { of, code, stdout, stderr } = await doctor(["--online"], env);
      expect(of("gemini (online)")).toEqual({ name: "gemini (online)", state: "ok", what: "reached" });
      expect(of("groq (online)")).toMatchObject({
        state: "missing",
        what: "reached, but the key is not accepted",
      });
      expect(code).toBe(4);
      expect(stdout + stderr).not.toContain(key);
    } finally {
      await fake.close();
    }
    const { of, code } = await doctor(["--online"], env);
    expect(of("gemini (online)")).toMatchObject({ state: "missing", what: "not reached" });
    expect(of("arxiv (online)")).toMatchObject({ state: "optional", what: "not reached" });
    expect(code).toBe(4);
  });
});
