/** One deterministic change to code that does not parse. */
export interface Repair {
  /** What it does, to be read after "Repaired:". */
  description: string;
  /** The languages it is for. */
  languages: readonly string[];
  /** The changed code; the same code where there is nothing to change. */
  apply(code: string, language: string): string;
}

const scripts = ["python", "javascript", "typescript"];
const all = [...scripts, "pycon", "json", "jsonc", "yaml", "toml", "bash"];

/** What begins a comment. */
const commentSign = (language: string) => (language === "python" ? "#" : "//");

const installLine =
  /^(\s*)(?:[!%$]\s*)?((?:sudo\s+)?(?:(?:python3?|py)\s+-m\s+)?(?:pip3?|uv\s+pip|conda|mamba)\s+install\s+\S.*|(?:uv|poetry|yarn|pnpm|bun)\s+add\s+\S.*|(?:npm|pnpm)\s+(?:install|i|add)(?:\s+\S.*)?)$/;

const installLines: Repair = {
  description: "install lines became comments",
  languages: scripts,
  apply: (code, language) =>
    mapLines(code, (line) => {
      const [, indent = "", command] = installLine.exec(line) ?? [];
      return command === undefined
        ? line
        : `${indent}${commentSign(language)} Requires: ${command.trimEnd()}`;
    }),
};

const shellPrompts: Repair = {
  description: "shell commands became comments",
  languages: scripts,
  apply: (code, language) =>
    mapLines(code, (line) => line.replace(/^(\s*)\$ +(\S.*)$/, `$1${commentSign(language)} Shell: $2`)),
};

const notebookMagics: Repair = {
  description: "notebook magics became comments",
  languages: ["python"],
  apply(code) {
    // A cell magic such as %%bash makes something else of the whole block.
    if (/^\s*%%(?!time\b|timeit\b|capture\b)/.test(code)) return code;
    return mapLines(code, (line) =>
      line
        .replace(/^(\s*)(%%?[A-Za-z_].*)$/, "$1# Notebook: $2")
        .replace(/^(\s*)!\s*(\S.*)$/, "$1# Shell: $2")
        .replace(/^(\s*)(\?{1,2}[\w.]+|[\w.]+\?{1,2})\s*$/, "$1# Notebook: $2"),
    );
  },
};

const interactivePrompts: Repair = {
  description: "interactive prompts were removed and shown results became comments",
  languages: ["python"],
  apply(code) {
    if (!/^\s*>>>(?: |$)/m.test(code)) return code;
    let prompted = false;
    return mapLines(code, (line) => {
      const [, indent = "", sign, rest = ""] = /^(\s*)(>>>|\.\.\.)(?: (.*))?$/.exec(line) ?? [];
      if (sign === ">>>" || (sign === "..." && prompted)) {
        prompted = true;
        return rest === "" ? "" : indent + rest;
      }
      return prompted && line.trim() !== "" ? `# ${line.trim()}` : line;
    });
  },
};

const spaces: Repair = {
  description: "special spaces became plain ones and invisible characters were removed",
  languages: all,
  apply: (code) =>
    code.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ").replace(/[\u200b-\u200d\u2060\ufeff]/g, ""),
};

const quotes: Repair = {
  description: "typographic quotes and minus signs became plain ones",
  languages: all,
  apply: (code) =>
    code
      .replace(/[\u201c-\u201f\u2033]/g, '"')
      .replace(/[\u2018-\u201b\u2032]/g, "'")
      .replace(/\u2212/g, "-"),
};

/** In the order in which they are tried: what changes least about the meaning comes first. */
export const repairs: readonly Repair[] = [
  installLines,
  shellPrompts,
  notebookMagics,
  spaces,
  quotes,
  interactivePrompts,
];

function mapLines(code: string, change: (line: string) => string): string {
  return code.split("\n").map(change).join("\n");
}
