import { describe, expect, it } from "vitest";
import { createRedactor, createSecretRemover, secretValues } from "./redact.ts";

describe("redaction", () => {
  it("takes out the secrets that are set, the longer before the one that it holds", () => {
    const redact = createRedactor(["secret-one", "secret-one-and-more", "short"]);
    expect(redact("a secret-one-and-more b secret-one c short")).toBe("a [redacted] b [redacted] c short");
  });

  it.each([
    ["an OpenAI key", `sk-proj-${"a1B2".repeat(8)}`],
    ["a Gemini key", `AIza${"Sy0-".repeat(9)}`],
    ["a Tavily key", `tvly-dev-${"x9".repeat(10)}`],
    ["an AWS key id", "AKIAIOSFODNN7EXAMPLE"],
    ["a GitHub token", `ghp_${"A1b2".repeat(9)}`],
    ["a JSON web token", `eyJhbGciOiJI.${"eyJz".repeat(4)}.c2ln`],
    ["a private key", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"],
  ])("knows %s by its shape", (_what, key) => {
    expect(createRedactor([])(`before ${key} after`)).toBe("before [redacted] after");
  });

  it("takes a password out of an address, and a bearer token out of a header", () => {
    const redact = createRedactor([]);
    expect(redact("redis://user:hunter2@host:6379")).toBe("redis://user:[redacted]@host:6379");
    expect(redact(`Authorization: Bearer ${"t0k3n".repeat(5)}`)).toBe("Authorization: Bearer [redacted]");
  });

  it("leaves prose and code alone", () => {
    const text =
      "The key is a sk-learn pipeline; see https://example.org/a?b=c and x = basic_auth(user, pw).";
    expect(createRedactor([])(text)).toBe(text);
  });
});

it("secrets are known by the names of their settings, each header and each of a list by itself", () => {
  const env: Record<string, string> = {
    GEMINI_API_KEY: "gemini-secret",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20header-secret,other=second-secret",
    PROOFROOM_HOME: "/somewhere/else",
  };
  const found = secretValues(Object.keys(env), (name) => env[name]);
  expect(found).toEqual(expect.arrayContaining(["gemini-secret", "Basic header-secret", "second-secret"]));
  expect(found).not.toContain("/somewhere/else");
  expect(found).not.toContain("authorization");
});

it("a secret is taken out in whatever form an address, JSON or a header has it", () => {
  const secret = 'k3y "with" a+slash/';
  const remove = createSecretRemover([secret]);
  const forms = [
    secret,
    JSON.stringify({ secret }),
    encodeURIComponent(secret),
    ...["", "u:", "user:"].flatMap((before) =>
      (["base64", "base64url"] as const).map((form) =>
        Buffer.from(`${before}${secret} and more`).toString(form),
      ),
    ),
  ];
  for (const form of forms) {
    expect(remove(form)).toContain("[redacted]");
    expect(remove(form).length).toBeLessThan(form.length);
  }
});

it.each([
  ["REDIS_URL", "redis://worker:pass%2Fword-1@queue:6379/2", "pass/word-1"],
  ["REDIS_URL", "rediss+sentinel://worker:password-2@one:1,two:2/main", "password-2"],
  ["PROOFROOM_GIT_TOKENS", "git.example.org:8443=deploy:token-three, other.example.org=t", "token-three"],
  ["BITBUCKET_TOKEN", "someone:token-four", "token-four"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=Basic%20credentials-5", "credentials-5"],
  ["AWS_ACCESS_KEY_ID", "key-id-six", "key-id-six"],
])("the secret in %s (%s) is known by itself", (name, value, secret) => {
  expect(secretValues([name], () => value)).toContain(secret);
});
