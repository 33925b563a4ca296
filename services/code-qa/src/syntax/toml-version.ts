import { lineAt, type SyntaxFault } from "./javascript-syntax.ts";

const string = /"""[\s\S]*?(?<!\\)(?:\\\\)*"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y;
const newerEscape = /^(?:[^\\]|\\[^ex])*?\\[ex]/;
const shortTime = /(?<=[Tt\s=,[])\d\d:\d\d(?!:)/y;

/**
 * What valid TOML 1.1 has that TOML 1.0 has not: line breaks and a trailing comma in inline tables, the escapes `\e`
 * and `\x`, and times without seconds. Null where there is none of it.
 */
export function newerToml(code: string): SyntaxFault | null {
  const open: string[] = [];
  let last = "";
  const fault = (offset: number, what: string): SyntaxFault => ({
    message: `TomlError: ${what} in TOML 1.0`,
    line: lineAt(code, offset),
  });
  for (let at = 0; at < code.length; ) {
    const char = code.charAt(at);
    const text = matchAt(string, code, at);
    if (text !== null) {
      const found = char === '"' ? newerEscape.exec(text) : null;
      if (found !== null) return fault(at + found[0].length - 1, "there is no escape \\e or \\x");
      at += text.length;
      last = "string";
      continue;
    }
    if (char === "#") {
      const end = code.indexOf("\n", at);
      at = end === -1 ? code.length : end;
      continue;
    }
    if (char === "\n" && open.at(-1) === "{") return fault(at, "an inline table is one line");
    if (char === "{" || char === "[") open.push(char);
    if (char === "}" && last === ",") return fault(at, "an inline table has no trailing comma");
    if (char === "}" || char === "]") open.pop();
    if (matchAt(shortTime, code, at) !== null) return fault(at, "a time has seconds");
    if (/\S/.test(char)) last = char;
    at += 1;
  }
  return null;
}

function matchAt(pattern: RegExp, code: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0] ?? null;
}
