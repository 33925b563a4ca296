import { fileURLToPath } from "node:url";
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
    const optional = ["GROQ_BASE_URL", "GROQ_TIMEOUT", "OPENAI_API_KEY", "TAVILY_API_KEY", "TAVILY_BASE_URL"];
    for (const setting of [...optional, "TAVILY_TIMEOUT", "ARXIV_TIMEOUT"]) expect(of(setting)).toBeDefined();
    expect(of("role drafter")?.what).toBe(
      "gemini-flash → gemini-flash-lite; extractive where none of their answers is of use",
    );
    expect(of("gemini (online)")).toBeUndefined();
    expect(code).toBe(0);
  });

  it("shows the values that count of settings that hold no secret, and what is said of one's own models", async () => {
    const { of } = await doctor([], {
      GROQ_API_KEY: "canary-5b2e91",
      GROQ_TIMEOUT: "5",
      PROOFROOM_SITE_PAGES: "50",
      PROOFROOM_MODELS: fileURLToPath(new URL("../../../infra/models.yaml", import.meta.url)),
    });
    expect(of("PROOFROOM_STORE")?.what).toBe(`file:${folder.path}, by default`);
    expect(of("PROOFROOM_PAGE_CACHE")?.what).toBe("7d, by default");
    expect(of("PROOFROOM_SITE_PAGES")).toMatchObject({ state: "ok", what: "50" });
    expect(of("GROQ_TIMEOUT")?.what).toBe("5 s");
    expect(of("Budget")).toBeDefined();
    expect(of("Models")?.what).toBe("groq-llama");
    expect(of("model groq-llama")?.what).toContain("30 requests a minute");
  });

  it.each([
    ["redis://127.0.0.1:1", "The Redis at REDIS_URL does not answer."],
    ["redis://:pa%ss-5b2e@h:99999", "REDIS_URL is not an address of Redis."],
  ])("tells what is wrong with the Redis that is given: %s", async (url, what) => {
    const { of, code, stdout } = await doctor([], { REDIS_URL: url });
    expect(of("Redis")).toMatchObject({ state: "missing", what, fix: expect.any(String) });
    expect(code).not.toBe(0);
    expect(stdout).not.toContain("5b2e");
  });

  it("ends in order though nobody reads what it says any more", async () => {
    const { code, stderr } = await runCli(["doctor"], { home: folder.path, unread: true });
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("lists the tokens for git servers, and with --online whether each is accepted by its host, shown to it alone", async () => {
    const token = "canary-7d04c2";
    const authorization = `Basic ${Buffer.from(`oauth2:${token}`).toString("base64")}`;
    const fake = await startFakeProvider(({ headers }) =>
      headers["authorization"] === authorization ? { status: 404, body: {} } : { status: 401, body: {} },
    );
    const host = new URL(fake.base).host;
    const env = {
      PROOFROOM_GIT_TOKENS: `${host}=${token}`,
      PROOFROOM_ALLOW_HOSTS: host,
      ARXIV_BASE_URL: fake.base,
    };
    try {
      const { of } = await doctor([], env);
      expect(of("GITHUB_TOKEN")?.what).toBe(
        "not set; it enables private repositories on github.com, gist.github.com",
      );
      for (const name of ["GITLAB_TOKEN", "BITBUCKET_TOKEN", "PROOFROOM_GIT_HOSTS"])
        expect(of(name)?.state).toBe("optional");
      expect(of("PROOFROOM_GIT_TOKENS")).toMatchObject({ state: "ok", what: `set, for ${host}` });
      expect(fake.requests).toHaveLength(0);
      const good = await doctor(["--online"], env);
      expect(good.of(`${host} (online)`)).toMatchObject({
        state: "ok",
        what: "reached; it accepts the token",
      });
      const bad = await doctor(["--online"], { ...env, PROOFROOM_GIT_TOKENS: `${host}=${token}-old` });
      expect(bad.of(`${host} (online)`)).toMatchObject({
        state: "missing",
        what: "reached, but the token in PROOFROOM_GIT_TOKENS is not accepted",
      });
      expect(bad.code).toBe(4);
      expect(good.stdout + good.stderr + bad.stdout + bad.stderr).not.toContain(token);
    } finally {
      await fake.close();
    }
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
    const { of, code } = await doctor(["--online"], { ...env, FIRECRAWL_API_URL: fake.base });
    expect(of("firecrawl (online)")).toMatchObject({ state: "optional", what: "not reached" });
    expect(of("gemini (online)")).toMatchObject({ state: "missing", what: "not reached" });
    expect(of("arxiv (online)")).toMatchObject({ state: "optional", what: "not reached" });
    expect(code).toBe(4);
  });

  it("tells how pages are fetched: what is set of Firecrawl, whether it takes the key, and which browser is there", async () => {
    const key = "canary-5b2e91";
    const fake = await startFakeProvider(({ path, headers }) =>
      path === "/v2/team/credit-usage" && headers["authorization"] === `Bearer ${key}`
        ? { body: { success: true, data: { remainingCredits: 5 } } }
        : { status: 401, body: { success: false, error: "Unauthorized" } },
    );
    try {
      const env = { FIRECRAWL_API_URL: fake.base, FIRECRAWL_API_KEY: key, PROOFROOM_CHROMIUM: "off" };
      const { of, stdout } = await doctor(["--online"], env);
      expect(of("FIRECRAWL_API_KEY")).toMatchObject({ state: "ok", what: "set" });
      for (const setting of ["FIRECRAWL_TIMEOUT", "PROOFROOM_FETCH_TIMEOUT", "PROOFROOM_ROBOTS"])
        expect(of(setting)).toMatchObject({ state: "optional" });
      expect(of("Chromium")).toMatchObject({ state: "optional", what: expect.stringContaining("not found") });
      expect(of("firecrawl (online)")).toMatchObject({ state: "ok", what: "reached" });
      expect(stdout).not.toContain(key);
      const refused = await doctor(["--online"], { ...env, FIRECRAWL_API_KEY: "fc-other" });
      expect(refused.of("firecrawl (online)")).toMatchObject({ state: "missing" });
    } finally {
      await fake.close();
    }
  });
});
