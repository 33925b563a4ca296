import type { CodeBlock } from "@proofroom/evidence";

const pythonNames = new Set(["python", "py", "python3"]);
const scriptNames = new Set(["javascript", "js", "mjs", "node", "typescript", "ts"]);
const printable = new Set([
  ...pythonNames,
  ...scriptNames,
  ..."json yaml yml toml sql bash sh shell go rust java c cpp c# csharp ruby php kotlin swift html css tsx jsx".split(
    " ",
  ),
]);

/** Modules of Python that are there without installation and touch no network. */
const pythonStandard = new Set(
  `abc argparse array asyncio base64 bisect collections contextlib copy csv dataclasses datetime decimal enum fractions
  functools hashlib heapq inspect io itertools json logging math operator os pathlib pprint queue random re statistics
  string struct sys tempfile textwrap threading time traceback types typing unittest uuid warnings weakref
  zlib __future__`.split(/\s+/),
);

/** The language that a fence should name: what the source says, else what the code shows beyond doubt. */
export function languageOf({ language, code }: Pick<CodeBlock, "language" | "code">): string {
  if (language !== null && language !== "") return language;
  if (/^\s*[[{]/.test(code) && isJson(code)) return "json";
  const python =
    /^(?:from [\w.]+ import \w|import \w+(?:\.\w+)*(?: as \w+)?\s*$|(?:async )?def \w+\(.*:\s*$|class \w+.*:\s*$)/m;
  const script =
    /^(?:import .* from ["']|(?:export )?(?:const|let|var) \w+ =|(?:export )?(?:async )?function \w+\(|\}\);?$)/m;
  if (python.test(code) !== script.test(code)) return python.test(code) ? "python" : "javascript";
  if (/^(?:\$ )?(?:npm|npx|pip|curl|git|docker|cd|export|brew|apt-get) \S/m.test(code)) return "bash";
  return "";
}

/**
 * How fit a block is to be printed, 0 to 1: 0 for fragments, placeholders and what is too long or too short to
 * help; more for code that could run as it stands.
 */
export function soundness(block: Pick<CodeBlock, "language" | "code">): number {
  const code = block.code;
  const lines = code.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 3 || lines.length > 60 || lines.some((line) => line.length > 160)) return 0;
  if (/^\s/.test(lines[0] ?? "") || !isBalanced(code)) return 0;
  // Backslashes that an extraction left at the ends of lines.
  if (lines.filter((line) => line.endsWith("\\")).length > 2) return 0;
  if (
    /^\s*(?:\.\.\.|…|#\s*\.\.\.|\/\/\s*\.\.\.)/m.test(code) ||
    /<(?:your|insert|path|name)\b|\bYOUR_/i.test(code)
  )
    return 0;
  const language = languageOf(block);
  if (!printable.has(language) || (language === "json" && !isJson(code))) return 0;
  if (pythonNames.has(language)) return pythonRuns(code) ? 1 : 0.5;
  if (scriptNames.has(language)) return scriptRuns(code) ? 1 : 0.45;
  return 0.4;
}

function pythonRuns(code: string): boolean {
  if (/\binput\(|\brequests\.|\burllib\b|\bsocket\b|^\s*[!%]|^>>> /m.test(code)) return false;
  const modules = [...code.matchAll(/^\s*(?:from ([\w.]+) import|import ([\w., ]+))/gm)].flatMap(
    ([, from, plain]) =>
      from === undefined
        ? (plain ?? "").split(",").map((name) => name.trim().split(/[. ]/)[0] ?? "")
        : [from.split(".")[0] ?? ""],
  );
  return modules.every((name) => pythonStandard.has(name)) && !usesUnknownCall(code, /(?:def|class) (\w+)/g);
}

function scriptRuns(code: string): boolean {
  if (/\bfetch\(|\bdocument\.|\bwindow\.|\bprompt\(/.test(code)) return false;
  const modules = [...code.matchAll(/(?:from|require\(|import)\s*["']([^"']+)["']/g)].map(
    ([, name]) => name ?? "",
  );
  return (
    modules.every((name) => name.startsWith("node:")) &&
    !usesUnknownCall(code, /(?:function\*?|class|const|let|var) (\w+)/g)
  );
}

/** Whether the code calls methods on a name, or builds from a class, that it nowhere introduces. */
function usesUnknownCall(code: string, definitions: RegExp): boolean {
  const known = new Set([...code.matchAll(definitions)].map(([, name]) => name));
  for (const [, name] of code.matchAll(
    /(?:^|[;,(]\s*|\b(?:as|import|for|with)\s+)(\w+)(?=\s*(?:[=,:)\n]| in\b))/gm,
  ))
    known.add(name);
  for (const [list] of code.matchAll(/\b(?:import|def \w+|for)\b[^\n]*/g)) {
    for (const [word] of list.matchAll(/\w+/g)) known.add(word);
  }
  const builtins =
    /^(?:console|Math|JSON|Object|Array|String|Number|Promise|Date|Map|Set|Error|process|self|cls|this|str|dict|list|int|float|bytes|super|print|os|sys)$/;
  for (const [, name] of code.matchAll(/(?<![\w."'#/])([A-Za-z_]\w*)(?:\.\w+)+\(/g)) {
    if (name !== undefined && !known.has(name) && !builtins.test(name)) return true;
  }
  return false;
}

function isBalanced(code: string): boolean {
  const bare = code.replace(/(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g, "").replace(/(?:#|\/\/).*$/gm, "");
  const count = (mark: string) => bare.split(mark).length;
  return count("(") === count(")") && count("[") === count("]") && count("{") === count("}");
}

function isJson(code: string): boolean {
  try {
    JSON.parse(code);
    return true;
  } catch {
    return false;
  }
}
