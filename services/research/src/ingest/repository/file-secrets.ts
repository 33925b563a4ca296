import { compare, type TextFile } from "./file-order.ts";

/** The paths of the files that seem to hold secrets. */
export async function pathsWithSecrets(files: readonly TextFile[]): Promise<Set<string>> {
  const { runSecurityCheck } = await import("repomix");
  const suspicious = await runSecurityCheck(files.map(({ path, content }) => ({ path, content })));
  return new Set(suspicious.map(({ filePath }) => filePath).sort(compare));
}
