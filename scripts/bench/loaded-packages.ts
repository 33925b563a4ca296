/** Libraries that take long to load or much memory; one ending with a slash stands for a scope. */
export const heavyLibraries: readonly string[] = [
  "@aws-sdk/",
  "@shikijs/",
  "bullmq",
  "katex",
  "linkedom",
  "mammoth",
  "oxc-parser",
  "repomix",
  "shiki",
  "typescript",
  "unpdf",
];

/** The package that a module below node_modules belongs to, the innermost where they are nested; undefined for others. */
export function packageOf(url: string): string | undefined {
  const [, below] = /^.*\/node_modules\/(.+)$/.exec(url.trim()) ?? [];
  const [first, second] = below?.split("/") ?? [];
  return first?.startsWith("@") && second !== undefined ? `${first}/${second}` : first;
}

/** Which of the libraries were loaded, sorted. */
export function loadedOf(libraries: readonly string[], urls: readonly string[]): string[] {
  const packages = new Set(urls.map(packageOf).filter((name) => name !== undefined));
  const belongs = (name: string, library: string) =>
    library.endsWith("/") ? name.startsWith(library) : name === library;
  return [...packages].filter((name) => libraries.some((library) => belongs(name, library))).sort();
}
