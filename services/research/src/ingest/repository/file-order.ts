import { codeLanguageOf, extensionOf, fileNameOf } from "../document/code-languages.ts";

export interface TextFile {
  path: string;
  content: string;
}

const dataExtensions = new Set([
  "json",
  "jsonl",
  "ndjson",
  "csv",
  "tsv",
  "xml",
  "svg",
  "diff",
  "patch",
  "bib",
]);
const proseExtensions = new Set(["md", "markdown", "mdx", "rst", "txt", "ipynb", "qmd", "rmd", "adoc", ""]);

/** Documents in other languages than English beside those in English: `docs/de/…`, `README.zh-CN.md`. */
const translated =
  /(?:(?:^|\/)(?:docs?|i18n|locales?|translations?)\/|readme[._-])(?:ar|az|bn|cs|de|el|es|fa|fr|he|hi|hu|id|it|ja|jp|ko|kr|nl|pl|pt|ro|ru|sv|th|tr|uk|ur|vi|zh|cn|tw)(?:[_-]\w{2,5})?[./]/i;

/**
 * The files in the order in which a reader would want them if not all can be had: the README, other READMEs and
 * the documents, what declares the project, source code from small to large, tests,
 * translations and hidden files, data.
 */
export function byImportance(files: readonly TextFile[]): TextFile[] {
  const ranked = files.map((file) => ({ file, rank: rankOf(file.path), depth: file.path.split("/").length }));
  ranked.sort(
    (one, other) =>
      one.rank - other.rank ||
      (one.rank <= 2 ? one.depth - other.depth : one.file.content.length - other.file.content.length) ||
      compare(one.file.path, other.file.path),
  );
  return ranked.map(({ file }) => file);
}

/** READMEs and documents in the order of their importance, then code by path, then tests, data and settings by path. */
export function inReadingOrder(files: readonly TextFile[]): TextFile[] {
  const ordered = byImportance(files);
  const documents = ordered.filter(isDocument);
  const rest = ordered.filter((file) => !isDocument(file));
  const isAside = ({ path }: TextFile) => Number(rankOf(path) >= 5);
  rest.sort((one, other) => isAside(one) - isAside(other) || compare(one.path, other.path));
  return [...documents, ...rest];
}

/**
 * Chooses the files for a text of at most `budget` code units, in the order of their importance: a large one does
 * not keep smaller ones behind it out, and documents take no more than their share before all code has had its turn.
 */
export function packFiles(files: readonly TextFile[], budget: number, documentShare: number) {
  const ordered = byImportance(files);
  const documents = packGreedily(ordered.filter(isDocument), Math.floor(budget * documentShare));
  const others = packGreedily(
    ordered.filter((file) => !isDocument(file)),
    budget - documents.size,
  );
  const more = packGreedily(documents.left, budget - documents.size - others.size);
  return { kept: [...documents.kept, ...others.kept, ...more.kept], left: [...more.left, ...others.left] };
}

function packGreedily(files: readonly TextFile[], budget: number) {
  const kept: TextFile[] = [];
  const left: TextFile[] = [];
  let size = 0;
  for (const file of files) {
    // The heading and the fences around it count as well.
    const more = file.content.length + file.path.length + 40;
    if (size + more <= budget) {
      kept.push(file);
      size += more;
    } else left.push(file);
  }
  return { kept, left, size };
}

function isDocument({ path }: TextFile): boolean {
  return rankOf(path) <= 2;
}

function rankOf(path: string): number {
  const name = fileNameOf(path).toLowerCase();
  const extension = extensionOf(path);
  const isProse = proseExtensions.has(extension) && codeLanguageOf(path) === null;
  if (translated.test(path) || /(?:^|\/)\./.test(path)) return 5;
  if (isProse && name.startsWith("readme")) return path.includes("/") ? 1 : 0;
  if (/(?:^|\/)(?:tests?|__tests__|spec|fixtures|testdata|snapshots?)\//i.test(path)) return 5;
  if (dataExtensions.has(extension) && !/^(?:package|tsconfig|composer)\.json$/.test(name)) return 6;
  if (/^(?:changelog|changes|history|licen[cs]e|copying|code_of_conduct|authors|contributors)\b/.test(name))
    return 5;
  if (isProse && extension !== "") return 2;
  if (/^(?:package\.json|pyproject\.toml|cargo\.toml|go\.mod|pom\.xml|setup\.py|dockerfile)$/.test(name))
    return 3;
  return 4;
}

/** By code units: the same on every machine. */
export function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
