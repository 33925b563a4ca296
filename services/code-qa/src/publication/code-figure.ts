import { createHash } from "node:crypto";
import type { Snippet, SnippetManifest, SnippetResult } from "@proofroom/contracts";
import type { CodeSurroundings, Fence } from "@proofroom/markdown";
import { hasDeceptiveCharacters, shownOutput } from "./captured-text.ts";
import { type Html, html } from "./html.ts";
import { counted, runWords, type Tone } from "./wording.ts";

const languageNames: Readonly<Record<string, string>> = {
  bash: "Shell",
  c: "C",
  cpp: "C++",
  console: "Console",
  csharp: "C#",
  css: "CSS",
  diff: "Diff",
  dockerfile: "Dockerfile",
  fsharp: "F#",
  go: "Go",
  html: "HTML",
  java: "Java",
  javascript: "JavaScript",
  json: "JSON",
  jsonc: "JSON",
  jsonl: "JSON Lines",
  jsx: "JSX",
  kotlin: "Kotlin",
  markdown: "Markdown",
  mermaid: "Mermaid",
  php: "PHP",
  powershell: "PowerShell",
  pycon: "Python session",
  python: "Python",
  ruby: "Ruby",
  rust: "Rust",
  sql: "SQL",
  swift: "Swift",
  text: "Text",
  toml: "TOML",
  tsx: "TSX",
  typescript: "TypeScript",
  xml: "XML",
  yaml: "YAML",
};

/**
 * The head of a code block (language, what became of it, a button to copy it) and what stands below it: the output
 * it wrote when it was run. A result counts only for the very code it is a result of.
 */
export function codeFigure(
  block: Fence,
  manifest: SnippetManifest | null,
  results: readonly SnippetResult[],
): CodeSurroundings {
  const result = results.find((one) => one.index === block.index);
  const snippet = manifest?.snippets.find((one) => one.index === block.index);
  const current = isCurrent(block, result, snippet);
  const { tone, words } = badge(result, current);
  const fileName = /\b(?:title|filename|file)=(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(block.info);
  const name = fileName?.slice(1).find((one) => one !== undefined);
  const before = html`<figcaption class="code-head"><span class="code-name">${languageName(block.language)}${
    name !== undefined && html` <span class="code-file">${name}</span>`
  }</span>${
    hasDeceptiveCharacters(block.code) && html`<span class="badge warn">holds invisible characters</span>`
  }<span class="badge ${tone}">${words}</span><button type="button" class="copy" hidden>Copy</button></figcaption>`;
  return {
    before: before.value,
    after: result !== undefined && current ? outputs(result).value : "",
  };
}

/** Whether result and manifest are about the code as it now stands. */
function isCurrent(block: Fence, result: SnippetResult | undefined, snippet: Snippet | undefined): boolean {
  const sha256 = createHash("sha256").update(block.code, "utf8").digest("hex");
  return [result, snippet].every((one) => one === undefined || one.sha256 === sha256);
}

function badge(result: SnippetResult | undefined, current: boolean): { tone: Tone; words: string } {
  if (!current) return { tone: "warn", words: "not run: changed since it was checked" };
  return result === undefined ? { tone: "quiet", words: "not run" } : runWords(result);
}

function languageName(language: string | null): string {
  if (language === null) return "Code";
  return Object.hasOwn(languageNames, language) ? (languageNames[language] ?? language) : language;
}

function outputs(result: SnippetResult): Html {
  return html`${output("Output", result.stdout, result.truncated, result.run === "passed")}${output(
    "Error output",
    result.stderr,
    result.truncated,
    result.run === "failed",
  )}`;
}

function output(label: string, captured: string, truncated: boolean, open: boolean): Html | null {
  const { text, lines, shortened } = shownOutput(captured);
  if (text === "") return null;
  // Short output is worth seeing at once; long output would push the article apart.
  const unfolded = open && lines <= 12;
  return html`<details class="output"${unfolded && html` open`}><summary>${label} <span class="quiet">${counted(lines, "line")}</span></summary><pre tabindex="0"><samp>${text}</samp></pre>${
    (shortened || truncated) && html`<p class="note">The output is longer; only its beginning is kept.</p>`
  }</details>`;
}
