import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepareExample } from "../create/example.ts";
import { filesBelow } from "../create/folder-files.ts";
import { loadGuideline } from "../create/load-guideline.ts";

const checkout = fileURLToPath(new URL("../../../..", import.meta.url));

/** The arguments with which `create_run` makes of the example the run that `write --example` makes of it. */
export async function exampleSources(signal: AbortSignal) {
  const path = await prepareExample(checkout, signal);
  const { text, uploads } = await loadGuideline(path);
  const repository = join(dirname(path), "sources", "retry-kit");
  const commit = execFileSync("git", ["-C", repository, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  const source_files: { path: string; base64: string }[] = [];
  const source_folders: { path: string; commit?: string }[] = [];
  for (const { path: source, disk } of uploads) {
    const isFolder = source.endsWith("/");
    if (isFolder)
      source_folders.push(join(disk, ".") === repository ? { path: source, commit } : { path: source });
    const files = isFolder ? (await filesBelow(disk, signal)).files : [""];
    for (const file of files)
      source_files.push({ path: source + file, base64: await readFile(join(disk, file), "base64") });
  }
  return { guideline: text, source_files, source_folders };
}
