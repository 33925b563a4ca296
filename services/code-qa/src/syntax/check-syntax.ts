import { checkBash } from "./bash-syntax.ts";
import { checkJson, checkJsonc, checkToml, checkYaml, type DataCheck } from "./data-syntax.ts";
import { readJavaScript, type SyntaxFault, tooDeep, transpile } from "./javascript-syntax.ts";
import type { PythonHelper } from "./python-helper.ts";
import { isTranscript } from "./transcript.ts";

export interface SyntaxReport {
  syntax: "valid" | "invalid" | "unchecked" | "needs_python";
  error: string | null;
  /** 1-based line of the code. */
  error_line: number | null;
}

export type SyntaxChecker = (
  language: string | null,
  code: string,
  signal: AbortSignal,
) => Promise<SyntaxReport>;

const dataChecks: Readonly<Record<string, DataCheck>> = {
  json: checkJson,
  jsonc: checkJsonc,
  yaml: checkYaml,
  toml: checkToml,
};

/**
 * Checks code with the parser of its language; languages without one here are `unchecked`.
 * @param python null where there is no Python: its blocks are then unchecked
 */
export function createSyntaxChecker(python: PythonHelper | null): SyntaxChecker {
  return async (language, code, signal) => {
    signal.throwIfAborted();
    switch (language) {
      case "python":
      case "pycon": {
        if (python === null) return unchecked;
        const reply = await python.syntax({ code, transcript: isTranscript(language, code) }, signal);
        return { syntax: reply.syntax, error: reply.error, error_line: clamp(reply.line, code) };
      }
      case "javascript":
        return report((await readJavaScript(code)).fault, code);
      case "typescript":
        return report((await transpile(code)).fault, code);
      case "bash":
        return report(await checkBash(code, signal), code);
      default: {
        const check = language === null ? undefined : dataChecks[language];
        return check === undefined ? unchecked : report(await check(code), code);
      }
    }
  };
}

const unchecked: SyntaxReport = { syntax: "unchecked", error: null, error_line: null };

function report(fault: SyntaxFault | null, code: string): SyntaxReport {
  if (fault === null) return { syntax: "valid", error: null, error_line: null };
  if (fault === tooDeep) return { syntax: "unchecked", error: fault.message, error_line: null };
  return { syntax: "invalid", error: fault.message, error_line: clamp(fault.line, code) };
}

/** Parsers may name the line behind the last one. */
function clamp(line: number | null, code: string): number | null {
  if (line === null) return null;
  return Math.min(Math.max(1, line), Math.max(1, code.split("\n").length));
}
