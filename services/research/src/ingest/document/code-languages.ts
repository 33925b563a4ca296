const extensions: Readonly<Record<string, string>> = {
  python: "py pyi pyw",
  typescript: "ts mts cts",
  tsx: "tsx",
  javascript: "js mjs cjs",
  jsx: "jsx",
  go: "go",
  rust: "rs",
  java: "java",
  kotlin: "kt kts",
  scala: "scala",
  c: "c h",
  cpp: "cpp cc cxx hpp hh hxx",
  csharp: "cs",
  swift: "swift",
  ruby: "rb",
  php: "php",
  perl: "pl pm",
  lua: "lua",
  r: "r",
  julia: "jl",
  haskell: "hs",
  elixir: "ex exs",
  erlang: "erl",
  clojure: "clj cljs",
  dart: "dart",
  zig: "zig",
  sql: "sql",
  bash: "sh bash zsh",
  powershell: "ps1",
  json: "json jsonl ndjson jsonc",
  yaml: "yaml yml",
  toml: "toml",
  ini: "ini cfg conf properties",
  xml: "xml xsd svg",
  css: "css",
  scss: "scss",
  vue: "vue",
  svelte: "svelte",
  graphql: "graphql gql",
  proto: "proto",
  hcl: "tf hcl",
  latex: "tex bib",
  csv: "csv",
  tsv: "tsv",
  diff: "diff patch",
  makefile: "mk",
};

const fileNames: Readonly<Record<string, string>> = {
  dockerfile: "dockerfile",
  makefile: "makefile",
  "cmakelists.txt": "cmake",
};

export const markdownExtensions: ReadonlySet<string> = new Set([
  "md",
  "markdown",
  "mdown",
  "mdx",
  "qmd",
  "rmd",
]);

const languageOfExtension: ReadonlyMap<string, string> = new Map(
  Object.entries(extensions).flatMap(([language, names]) =>
    names.split(" ").map((name): [string, string] => [name, language]),
  ),
);

/** The language of a code or data file as a fence would name it, told by its name; null for any other file. */
export function codeLanguageOf(path: string): string | null {
  const name = fileNameOf(path).toLowerCase();
  return fileNames[name] ?? languageOfExtension.get(extensionOf(path)) ?? null;
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** In lower case and without the dot; empty where there is none. */
export function extensionOf(path: string): string {
  return /[^.]\.([^.]+)$/.exec(fileNameOf(path))?.[1]?.toLowerCase() ?? "";
}
