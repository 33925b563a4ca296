const extensions: Readonly<Record<string, string>> = {
  python: "py",
  javascript: "js",
  typescript: "ts",
  bash: "sh",
  markdown: "md",
  rust: "rs",
  ruby: "rb",
  kotlin: "kt",
  csharp: "cs",
};

/** Languages whose name is the usual extension of their files. */
const sameName = new Set(
  "json jsonc json5 jsonl yaml toml html css scss sql go java cpp c php swift xml csv ini jsx tsx lua r".split(
    " ",
  ),
);

/** The file name of a block, such as `snippet_3_python.py`. */
export function snippetFilename(index: number, language: string | null): string {
  const name = language ?? "text";
  const extension = extensions[name] ?? (sameName.has(name) ? name : "txt");
  return `snippet_${index}_${name.replace(/[^a-z0-9-]/g, "_")}.${extension}`;
}

export function snippetId(index: number): string {
  return `snippet_${index}`;
}
