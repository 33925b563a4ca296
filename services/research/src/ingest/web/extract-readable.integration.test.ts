import { afterAll, describe, expect, test } from "vitest";
import { openParsePool } from "../parsing/parse-pool.ts";
import { extractReadable } from "./extract-readable.ts";

const prose =
  "A client that repeats a failed request at once makes an outage worse, so it waits, and it waits longer each time. ".repeat(
    4,
  );
const { signal } = new AbortController();
const parsing = openParsePool();
const url = "https://acme.dev/docs/retry/";

afterAll(() => parsing.close());

describe("extractReadable", () => {
  test("answers from its child with the page", async () => {
    const html = `<title>Retries</title><main><h1>Retries</h1><p>${prose}</p></main>`;
    await expect(extractReadable({ html, url, signal, parsing })).resolves.toMatchObject({
      title: "Retries",
      markdown: `# Retries\n\n${prose.trim()}`,
      omissions: [],
    });
  });

  test.each([
    ["a bot check", "<title>Just a moment...</title><p>Verifying you are human</p>", "unreachable"],
    ["a page without text", "<title>Acme</title><p>Coming soon.</p>", "no_evidence"],
    ["endless nesting", "<div>".repeat(5_000), "too_large"],
  ])("%s is a failure that is not tried again", async (_name, html, code) => {
    await expect(extractReadable({ html, url, signal, parsing })).rejects.toMatchObject({
      code,
      disposition: { kind: "fail" },
    });
  });

  test("ends with the signal", async () => {
    const abort = new AbortController();
    const running = extractReadable({ html: `<p>${prose}</p>`, url, signal: abort.signal, parsing });
    abort.abort(new Error("stopped"));
    await expect(running).rejects.toThrow("stopped");
  });
});
