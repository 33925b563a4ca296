import { describe, expect, it } from "vitest";
import { notEvidence } from "./not-evidence.ts";

const prose =
  "Retrying a request that failed is safe only when the request can be repeated without a second effect. A client that waits longer before each attempt gives the server time to recover, and a little randomness keeps many clients from coming back at the same moment.";

const refused = [
  [
    "an API's error in Python's print behind a line of words",
    "API Error during transcription for https://www.youtube.com/watch?v=abcdefghijk: 429 RESOURCE_EXHAUSTED. {'error': {'code': 429, 'message': 'You exceeded your current quota, please check your plan.', 'status': 'RESOURCE_EXHAUSTED', 'details': [{'retryDelay': '17s'}]}}",
    "quota",
  ],
  [
    "a bare JSON error",
    '{\n  "error": {\n    "code": 429,\n    "message": "Resource has been exhausted (e.g. check quota). Please try again after some time has passed, since the number of requests per day of this project has been used up by now.",\n    "status": "RESOURCE_EXHAUSTED"\n  }\n}',
    "quota",
  ],
  [
    "a fenced JSON error",
    `\`\`\`json\n{"detail": "The upstream server did not answer. ${"Try again later. ".repeat(20)}", "status_code": 502}\n\`\`\``,
    "unreachable",
  ],
  ["a JSON error of one word", '{"message":"Forbidden"}', "no_evidence"],
  [
    "the output of a git that failed",
    `# Error processing https://github.com/o/r\n\nCommand failed: git clone https://github.com/o/r /tmp/x\nError: Cloning into '/tmp/x'...\nfatal: unable to access 'https://github.com/o/r/': Could not resolve host: github.com\n${"error: failed to fetch some refs\n".repeat(6)}`,
    "unreachable",
  ],
  [
    "a repository that is not there",
    `Cloning into '/tmp/x'...\nremote: Repository not found.\nfatal: repository 'https://github.com/o/r/' not found\n${"warning: nothing was cloned\n".repeat(8)}`,
    "not_found",
  ],
  [
    "an unexpected error with a long explanation",
    `An unexpected error occurred for https://example.org/paper.pdf:\n\nEncountered text corresponding to disallowed special token. ${"Pass it to allowed_special to have it encoded. ".repeat(60)}`,
    "unreachable",
  ],
  [
    "a time-out",
    `Failed to scrape https://example.org/a: request timed out after 30 s. ${"…".repeat(250)}`,
    "timeout",
  ],
  [
    "a trace",
    `Traceback (most recent call last):\n  File "scrape.py", line 3, in <module>\n    raise RuntimeError("nothing came back from the server that was asked")\n${'  File "x.py", line 9, in call\n'.repeat(6)}RuntimeError: nothing`,
    "unreachable",
  ],
  [
    "a bot check",
    `# Just a moment...\n\nVerifying you are human. This may take a few seconds. example.org needs to review the security of your connection before proceeding. ${"Please wait. ".repeat(12)}Ray ID: 8d1`,
    "unreachable",
  ],
  [
    "a login wall",
    `# Sign in\n\nSign in to continue reading. ${"Members get every story, a newsletter and an app. ".repeat(6)}`,
    "unreachable",
  ],
  [
    "a page that was not found",
    `# 404\n\nThe page you are looking for could not be found. ${"Try the search, or go back to the home page. ".repeat(6)}`,
    "not_found",
  ],
  [
    "an HTML error page",
    "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>",
    "unreachable",
  ],
  ["raw HTML", `<html><body>${`<p>${prose}</p>`.repeat(9)}</body></html>`, "invalid_input"],
  [
    "a stored notebook",
    JSON.stringify({ cells: [{ cell_type: "markdown", source: [prose, prose] }], nbformat: 4 }),
    "invalid_input",
  ],
  [
    "a model's apology",
    `I'm sorry, but the provided content does not contain an article. ${"There is nothing to clean. ".repeat(9)}`,
    "no_evidence",
  ],
  ["too little", "# A title\n\nThree words only.\n\n```python\nprint('x' * 300)\n```", "no_evidence"],
  [
    "headings and code alone",
    `${"## A heading that says something\n\n".repeat(20)}\`\`\`\n${prose}\n\`\`\``,
    "no_evidence",
  ],
  ["nothing", " \n\n", "no_evidence"],
] as const;

describe("notEvidence", () => {
  it.each(refused)("refuses %s", (_name, text, code) => {
    expect(notEvidence(text, "web_page")?.code).toBe(code);
  });

  it.each(refused)("never repeats a word of the text: %s", (_name, text) => {
    const holds = notEvidence(text, "web_page")?.holds ?? "";
    expect(holds).not.toMatch(/RESOURCE_EXHAUSTED|fatal:|Traceback|https?:|Ray ID/);
  });

  it.each([
    ["an article about errors", `# Error handling\n\n${prose}`],
    ["an article about status 429", `# Error 429 explained\n\n${prose.repeat(8)}`],
    [
      "a long page that opens with an error body",
      `The API answers:\n\n{"error": {"code": 429}}\n\n${prose.repeat(3)}\n\n{"ok": true}`,
    ],
    [
      "a long article on captchas",
      `# Captchas\n\nVerifying you are human is what they are for. ${prose.repeat(7)}`,
    ],
    [
      "a guide to git's messages",
      `# When a clone fails\n\n${prose}\n\n\`\`\`\nfatal: repository not found\n\`\`\``,
    ],
    [
      "an article that ends in an offer",
      `# Queues\n\n${prose.repeat(6)}\n\nPlease sign in to continue reading.`,
    ],
  ])("takes %s", (_name, text) => {
    expect(notEvidence(text, "web_page")).toBeNull();
  });

  it("takes a short answer of a search that is about an error", () => {
    const answer = `Error 429 means that a client sent too many requests. ${prose} ${prose}`;
    expect(notEvidence(answer, "search_result")).toBeNull();
  });

  it("counts code as text in repositories, where it is the text", () => {
    expect(notEvidence(`\`\`\`python\n${"x = 1\n".repeat(60)}\`\`\``, "repository")).toBeNull();
    expect(notEvidence(`\`\`\`python\n${"x = 1\n".repeat(60)}\`\`\``, "web_page")?.code).toBe("no_evidence");
  });
});
