import { readFile, stat } from "node:fs/promises";
import { ProofroomError, type Snippet, type SnippetResult } from "@proofroom/contracts";
import pc from "picocolors";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { userPath } from "../settings.ts";
import type { CommandContext } from "./context.ts";

interface Row {
  line: number;
  language: string | null;
  syntax: Snippet["syntax"];
  run: SnippetResult["run"];
  reason: SnippetResult["reason"];
  error: string | null;
  /** 1-based line of the file where the syntax error is. */
  error_line: number | null;
  ok: boolean;
}

interface FileReport {
  file: string;
  blocks: Row[];
  groups: number[][];
}

/** A Markdown file larger than this is not checked, in bytes. */
const limit = 16 * 1024 * 1024;

async function readMarkdown(context: CommandContext, name: string): Promise<string> {
  const path = userPath(context.settings, name);
  const facts = await stat(path).catch(() => null);
  if (facts === null || !facts.isFile()) {
    throw new ProofroomError({
      code: "not_found",
      message: `There is no file ${name}.`,
      remedy: `Name Markdown files: ${context.typed("check README.md")}`,
    });
  }
  if (facts.size > limit)
    throw new ProofroomError({ code: "too_large", message: `${name} is larger than 16 MB.` });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (cause) {
    throw new ProofroomError({
      code: "invalid_input",
      message: `${name} is not UTF-8 text.`,
      remedy: "Name Markdown files.",
      cause,
    });
  }
}

function rowOf(snippet: Snippet, result: SnippetResult): Row {
  const bad = snippet.syntax === "invalid" || result.run === "failed" || result.run === "timeout";
  const { run, reason } = result;
  return {
    line: snippet.start_line,
    language: snippet.language,
    syntax: snippet.syntax,
    run,
    reason,
    error: snippet.syntax_error ?? result.error,
    error_line: snippet.error_line === null ? null : snippet.start_line + snippet.error_line,
    ok: !bad,
  };
}

function rowText(row: Row): string {
  const mark = row.ok ? (row.run === "passed" ? pc.green("✓") : pc.dim("–")) : pc.red("✗");
  const outcome = row.reason === null ? row.run : `${row.run}: ${row.reason.replaceAll("_", " ")}`;
  const line = ` ${mark} ${String(row.line).padStart(5)}  ${(row.language ?? "").padEnd(12)} ${row.syntax.padEnd(12)} ${outcome}`;
  if (row.error === null || (row.ok && row.run !== "skipped")) return line;
  const where = row.error_line === null ? "" : `line ${row.error_line}: `;
  return `${line}\n          ${where}${row.error.trim().split("\n").at(-1) ?? ""}`;
}

/** Checks and runs the code blocks of Markdown files, without a run. Exit 1 where a block fails. */
export async function checkCommand(
  context: CommandContext,
  names: readonly string[],
  run: boolean,
): Promise<ExitCode> {
  const { signal, terminal } = context;
  const texts: { name: string; markdown: string }[] = [];
  for (const name of names) texts.push({ name, markdown: await readMarkdown(context, name) });
  const { checkMarkdown, openCodeTools } = await import("@proofroom/code-qa");
  const tools = await openCodeTools({ log: context.log, signal, ...(run ? {} : { allow: ["none"] }) });
  try {
    const files: FileReport[] = [];
    for (const { name, markdown } of texts) {
      const { manifest, results, groups } = await checkMarkdown(markdown, { run, tools, signal });
      const blocks = manifest.snippets.flatMap((snippet, at) => {
        const result = results[at];
        return result === undefined ? [] : [rowOf(snippet, result)];
      });
      files.push({ file: name, blocks, groups });
    }
    const failed = files.flatMap(({ blocks }) => blocks).filter(({ ok }) => !ok).length;
    const lines = files.flatMap(({ file, blocks }) => [
      file,
      ...(blocks.length === 0 ? ["   no code blocks"] : blocks.map(rowText)),
    ]);
    if (run && tools.driver.name === "none")
      terminal.note(
        `No sandbox works on this machine: code was checked, not run. ${context.typed("doctor")} says why.`,
      );
    const all = files.flatMap(({ blocks }) => blocks);
    const passed = all.filter((row) => row.run === "passed").length;
    lines.push(
      `${all.length} ${all.length === 1 ? "block" : "blocks"}: ${passed} ran and passed, ${failed} failed, ${all.length - passed - failed} not run`,
    );
    terminal.result({ files, failed, sandbox: run ? tools.driver.name : null }, lines.join("\n"));
    return failed === 0 ? exitCodes.done : exitCodes.failed;
  } finally {
    await tools.close();
  }
}
