import {
  type ArtifactRef,
  artifact,
  ProofroomError,
  type SnippetManifest,
  type SnippetResult,
  snippetManifestSchema,
  snippetResultsSchema,
} from "@proofroom/contracts";
import type { StepArtifacts, StepContext } from "@proofroom/runtime";
import { silentLogger } from "@proofroom/telemetry";
import { geminiBody, openTestModels } from "@proofroom/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { checkMarkdown } from "../check.ts";
import { type CodeTools, openCodeTools } from "../code-tools.ts";
import { createRepairProposer } from "../repair/propose-with-model.ts";
import { createCodeQaHandlers } from "./code-qa-handlers.ts";

const signal = new AbortController().signal;
/** No model is configured. */
const propose = async () => null;
let tools: CodeTools;
let withoutSandbox: CodeTools;

beforeAll(async () => {
  tools = await openCodeTools({ log: silentLogger(), signal });
  withoutSandbox = await openCodeTools({ allow: ["none"], log: silentLogger(), signal });
  if (tools.driver.name === "none") {
    throw new Error(
      "No sandbox passed its self-test: install bubblewrap and python3, allow user namespaces.",
    );
  }
});

afterAll(async () => {
  await tools?.close();
  await withoutSandbox?.close();
});

function run(article: string) {
  const files = new Map<string, string>([[artifact.article, article]]);
  const read = (name: string) => {
    const text = files.get(name);
    if (text === undefined) throw new ProofroomError({ code: "not_found", message: `There is no ${name}.` });
    return text;
  };
  const write = (name: string, text: string): ArtifactRef => {
    files.set(name, text);
    return { name, version: 1, sha256: "0".repeat(64), size: text.length };
  };
  const artifacts: StepArtifacts = {
    readText: async (name) => read(name),
    readBytes: async (name) => Buffer.from(read(name)),
    readJson: async <Schema extends z.ZodType>(name: string, schema: Schema) =>
      schema.parse(JSON.parse(read(name))),
    tryReadText: async (name) => files.get(name) ?? null,
    tryReadJson: async () => null,
    hasPersons: async () => false,
    list: async (prefix) => [...files.keys()].filter((name) => name.startsWith(prefix)).sort(),
    writeText: async (name, text) => write(name, text),
    writeBytes: async (name, bytes) => write(name, Buffer.from(bytes).toString()),
    writeJson: async (name, value) => write(name, `${JSON.stringify(value, null, 2)}\n`),
  };
  const context: StepContext = {
    runId: "run_01J00000000000000000000000",
    stepId: "step",
    generation: 1,
    artifacts,
    signal,
    log: silentLogger(),
    progress: () => undefined,
    fanOut: async () => [],
  };
  return {
    files,
    context,
    manifest: (): SnippetManifest => snippetManifestSchema.parse(JSON.parse(read(artifact.manifest))),
    results: (): SnippetResult[] => snippetResultsSchema.parse(JSON.parse(read(artifact.results))),
  };
}

const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n\n`;
const round = { round: 0 };

test("extraction writes a manifest by the schema and one file per block", async () => {
  const { files, context, manifest } = run(
    `# T\n\n${block("python", "x = 1")}${block("json", "{,}")}${block("", "plain")}${block("c++", "int x;")}`,
  );
  const output = await createCodeQaHandlers({ tools, propose }).extract_and_validate_code(round, context);
  expect(output).toMatchObject({
    total_snippets: 4,
    valid_syntax_count: 1,
    invalid_syntax_count: 1,
    unchecked_count: 2,
  });
  expect(
    manifest().snippets.map((snippet) => [snippet.target_filename, snippet.start_line, snippet.syntax]),
  ).toEqual([
    ["snippet_1_python.py", 3, "valid"],
    ["snippet_2_json.json", 7, "invalid"],
    ["snippet_3_text.txt", 11, "unchecked"],
    ["snippet_4_cpp.cpp", 15, "unchecked"],
  ]);
  expect(files.get(".nova/sandbox/snippet_1_python.py")).toBe("x = 1\n");
});

test("only blocks that the article still holds as listed are run", async () => {
  const { files, context, results } = run(block("python", "print(1)") + block("python", "print(2)"));
  const handlers = createCodeQaHandlers({ tools, propose });
  await handlers.extract_and_validate_code(round, context);
  files.set(artifact.article, block("python", "print(1)") + block("python", "print('planted')"));
  const output = await handlers.execute_sandbox_tests(round, context);
  expect(output).toMatchObject({ status: "success", total: 2, passed: 1, not_run: 1, sandbox: "bubblewrap" });
  expect(results().map((result) => [result.run, result.reason, result.stdout])).toEqual([
    ["passed", null, "1\n"],
    ["not_run", "not_requested", ""],
  ]);
});

test.each([
  ["all pass", ["print(1)", "print(2)"], "success"],
  ["some fail", ["print(1)", "1/0"], "partial_success"],
  ["all candidates fail", ["1/0", "raise SystemExit(3)"], "error"],
  ["nothing parses", ["x = = 1"], "error"],
])("the status is honest when %s", async (_, codes, status) => {
  const { context } = run(codes.map((code) => block("python", code)).join(""));
  const handlers = createCodeQaHandlers({ tools, propose });
  await handlers.extract_and_validate_code(round, context);
  expect((await handlers.execute_sandbox_tests(round, context)).status).toBe(status);
});

test("without a sandbox nothing is run and every candidate says so", async () => {
  const { context, results } = run(
    block("python", "print(1)") + block("json", "{}") + block("python", "x ="),
  );
  const handlers = createCodeQaHandlers({ tools: withoutSandbox, propose });
  await handlers.extract_and_validate_code(round, context);
  const output = await handlers.execute_sandbox_tests(round, context);
  expect(output).toMatchObject({ status: "error", passed: 0, not_run: 3, sandbox: "none" });
  expect(results().map((result) => result.reason)).toEqual([
    "sandbox_unavailable",
    "not_runnable",
    "syntax_error",
  ]);
});

const broken = [
  "# Guide\n\n1. Install and import:\n\n",
  "   ```python\n   pip install google-genai\n   from google import genai\n   ```\n\n",
  "2. Then count:\n\n",
  "   ```python\n   %matplotlib inline\n   print(sum([1, 2]))\n   ```\n\n",
  "3. And this stays wrong:\n\n",
  "   ```python\n   print(1 +)\n   ```\n",
].join("");

test("repairs are written back only where the block then passes, and the rest is named", async () => {
  const { files, context, manifest, results } = run(broken);
  const output = await createCodeQaHandlers({ tools, propose }).fix_code_snippets(round, context);
  expect(output.repaired).toEqual([
    { snippet_id: "snippet_1", repair: "install lines became comments" },
    { snippet_id: "snippet_2", repair: "notebook magics became comments" },
  ]);
  expect(output.still_failing).toEqual([{ snippet_id: "snippet_3", reason: "syntax_error" }]);
  const article = files.get(artifact.article) ?? "";
  expect(article).toBe(
    broken
      .replace("pip install google-genai", "# Requires: pip install google-genai")
      .replace("%matplotlib inline", "# Notebook: %matplotlib inline"),
  );
  expect(manifest().article_sha256).toBe(output.article_sha256);
  expect(results().map((result) => [result.run, result.reason])).toEqual([
    ["skipped", "missing_dependency"],
    ["passed", null],
    ["not_run", "syntax_error"],
  ]);
  expect(article).not.toMatch(/\d+(?:\.\d+)? ?ms/);
});

test("a repair whose block then fails is not kept, and nothing is written", async () => {
  const article = block("python", "pip install x\nprint(undefined_name)");
  const { files, context } = run(article);
  const output = await createCodeQaHandlers({ tools, propose }).fix_code_snippets(round, context);
  expect(output.repaired).toEqual([]);
  expect(output.still_failing).toEqual([{ snippet_id: "snippet_1", reason: "syntax_error" }]);
  expect([...files]).toEqual([[artifact.article, article]]);
});

const failing = "rates = [1, 2]\nshift = 0\nprint(sum(rates) / shift)";

test.each([
  ["runs", failing.replace("shift = 0", "shift = 2"), true],
  ["fails as well", failing.replace("shift = 0", "shift = nothing"), false],
  [
    "needs a package that is not here",
    `import no_such_package\n${failing.replace("shift = 0", "shift = 2")}`,
    false,
  ],
])(
  "what a model proposes for a block is kept only where it then passes: one that %s",
  async (_name, code, kept) => {
    const { models, gemini, close } = await openTestModels();
    try {
      gemini.next({ body: geminiBody(`Here it is:\n\n${block("python", code)}`) });
      const before = block("python", failing);
      const { files, context } = run(before);
      const handlers = createCodeQaHandlers({ tools, propose: createRepairProposer(models) });
      const output = await handlers.fix_code_snippets(round, context);
      expect(output.repaired).toHaveLength(kept ? 1 : 0);
      expect(output.still_failing).toHaveLength(kept ? 0 : 1);
      expect(files.get(artifact.article)).toBe(kept ? block("python", code) : before);
      expect(gemini.requests[0]?.text).toContain("ZeroDivisionError");
    } finally {
      await close();
    }
  },
);

test("a model that puts other code in the place of a block is asked once more, and then left alone", async () => {
  const { models, gemini, close } = await openTestModels();
  try {
    const other = { body: geminiBody(block("python", "print('it works')")) };
    gemini.next(other, other, other, other);
    const { files, context } = run(block("python", failing));
    const fix = createCodeQaHandlers({ tools, propose: createRepairProposer(models) }).fix_code_snippets;
    expect(await fix(round, context)).toMatchObject({
      repaired: [],
      still_failing: [{ snippet_id: "snippet_1" }],
    });
    expect(gemini.requests).toHaveLength(4);
    expect(files.get(artifact.article)).toBe(block("python", failing));
  } finally {
    await close();
  }
});

test.each([
  ["catches the error", failing.replace(/print.*/, "try:\n    $&\nexcept ZeroDivisionError:\n    pass")],
  ["comments out what fails", failing.replace(/print.*/, "# $&\nprint('done')")],
  ["ends before it fails", failing.replace(/print.*/, "exit(0)\n$&")],
  ["says the same 500 times", `${failing.replace("shift = 0", "shift = 1")}\n`.repeat(500)],
  ["leaves out what fails", "rates = [1, 2]\nshift = 0"],
])("a proposal that %s mends nothing, though the block then runs", async (_name, code) => {
  const { models, gemini, close } = await openTestModels();
  try {
    gemini.next(...Array(4).fill({ body: geminiBody(block("python", code)) }));
    const { files, context } = run(block("python", failing));
    const fix = createCodeQaHandlers({ tools, propose: createRepairProposer(models) }).fix_code_snippets;
    expect((await fix(round, context)).repaired).toEqual([]);
    expect(files.get(artifact.article)).toBe(block("python", failing));
  } finally {
    await close();
  }
});

test("code that looks like the frame of a question is repaired as it stands", async () => {
  const { models, gemini, close } = await openTestModels();
  try {
    const broken = "tag = '</code><code>'\nparts = []\nprint(tag, parts[0])";
    gemini.next({
      body: geminiBody(block("python", broken.replace("[]", "[1]").replace("</code", "<\u200b/code"))),
    });
    const { files, context } = run(block("python", broken));
    const fix = createCodeQaHandlers({ tools, propose: createRepairProposer(models) }).fix_code_snippets;
    expect((await fix(round, context)).repaired).toHaveLength(1);
    expect(files.get(artifact.article)).toBe(block("python", broken.replace("[]", "[1]")));
    expect(gemini.requests[0]?.text.match(/<\/code>/g)).toHaveLength(1);
  } finally {
    await close();
  }
});

test("broken_code is repaired alone and nothing is written", async () => {
  const { files, context } = run("text");
  const fix = createCodeQaHandlers({ tools, propose }).fix_code_snippets;
  const good = await fix({ round: 0, broken_code: "!pip install x\nprint('```')", language: "py" }, context);
  expect(good).toMatchObject({
    repaired: [{ snippet_id: "broken_code", repair: "install lines became comments" }],
    still_failing: [],
    fixed_code: "# Requires: pip install x\nprint('```')",
    article_sha256: null,
  });
  const bad = await fix({ round: 0, broken_code: "print(" }, context);
  expect(bad).toMatchObject({
    repaired: [],
    still_failing: [{ snippet_id: "broken_code", reason: "syntax_error" }],
    fixed_code: null,
  });
  expect([...files.keys()]).toEqual([artifact.article]);
});

test("two checks of one article differ in durations only", async () => {
  const article = [
    block("python", "print({'b', 'a', 'c'}, object())"),
    block("python", "1/0"),
    block("js", "console.log([1, 2].map((x) => x * 2))\nnope()"),
  ].join("");
  const check = async () => {
    const { manifest, results, groups } = await checkMarkdown(article, { run: true, tools, signal });
    return { manifest, groups, results: results.map((result) => ({ ...result, duration_ms: 0 })) };
  };
  expect(await check()).toEqual(await check());
});

test("the worker's environment does not reach a block", async () => {
  process.env["PROOFROOM_TEST_SECRET"] = "canary-secret";
  try {
    const { results } = await checkMarkdown(
      block("python", "import os\nprint(dict(os.environ))") + block("js", "console.log(process.env)"),
      { run: true, tools, signal },
    );
    expect(results.map((result) => result.run)).toEqual(["passed", "passed"]);
    expect(JSON.stringify(results)).not.toContain("canary-secret");
  } finally {
    delete process.env["PROOFROOM_TEST_SECRET"];
  }
});
