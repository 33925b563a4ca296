import { describe, expect, it } from "vitest";
import { createRedactor, secretValues } from "./redact.ts";

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
