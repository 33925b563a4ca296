const aliasGroups: Readonly<Record<string, string>> = {
  python: "py py3 python3",
  javascript: "js node nodejs mjs cjs ecmascript",
  typescript: "ts mts cts",
  bash: "sh shell",
  console: "shell-session shellsession sh-session terminal",
  yaml: "yml",
  markdown: "md mkd mdown",
  cpp: "c++ cc cxx",
  csharp: "c# cs",
  fsharp: "f# fs",
  "objective-c": "objc obj-c objectivec",
  go: "golang",
  rust: "rs",
  ruby: "rb",
  kotlin: "kt",
  text: "txt plain plaintext",
  dockerfile: "docker",
  powershell: "ps1 pwsh",
};

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries(aliasGroups).flatMap(([name, others]) =>
    others.split(" ").map((other): [string, string] => [other, name]),
  ),
);

/**
 * The language an info string names, in its usual spelling; null where it names none. Attribute blocks
 * (`{.python #id}`, `{r, echo=FALSE}`) and suffixes (`rust,ignore`, `js{1,3}`, `python:app.py`) are understood.
 * The content of a block plays no part.
 *
 * @param info the info string as written, trimmed
 * @param firstWord its first word with backslash escapes and character references decoded
 */
export function fenceLanguage(info: string, firstWord: string): string | null {
  const named = info.startsWith("{") ? fromAttributes(info) : fromWord(firstWord);
  if (named === null) return null;
  const name = named.replace(/[\u200b-\u200d\u2060\ufeff]/g, "").toLowerCase();
  if (!/^[a-z][a-z0-9+#._-]*$/.test(name)) return null;
  return aliases.get(name) ?? name;
}

function fromAttributes(info: string): string | null {
  // Quoted values may hold braces and dots of their own.
  const bare = info.slice(1).replace(/"[^"]*"|'[^']*'/g, '""');
  const end = bare.indexOf("}");
  const inside = end === -1 ? bare : bare.slice(0, end);
  const className = /(?:^|[\s:,])\.([^\s,]+)/.exec(inside)?.[1];
  if (className !== undefined) return className;
  return /^[ \t]*([^\s,}]+)[\s,}]/.exec(bare)?.[1] ?? null;
}

function fromWord(word: string): string | null {
  const name = /^[^{:,]*/.exec(word)?.[0] ?? "";
  return name.includes("=") ? null : name;
}
