import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSecretRemover } from "@proofroom/telemetry";
import { maxDocumentBytes } from "../document/ingest-document-bytes.ts";
import type { GitHeader } from "./git-process.ts";

/**
 * Takes the token that a host was shown out of the files that came from it: they become evidence, and go to models and into
 * articles.
 * @throws the signal's reason
 */
export async function removeToken(tree: string, { line }: GitHeader, signal: AbortSignal): Promise<void> {
  const [, encoded = ""] = /Basic (\S+)/.exec(line.reveal()) ?? [];
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const remove = createSecretRemover([encoded, pair, pair.slice(pair.indexOf(":") + 1)]);
  for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    signal.throwIfAborted();
    const path = join(entry.parentPath, entry.name);
    // Larger ones are read by nobody.
    if ((await stat(path)).size > maxDocumentBytes) continue;
    // A character a byte: whatever else the file holds stays as it is.
    const text = await readFile(path, "latin1");
    const clean = remove(text);
    if (clean !== text) await writeFile(path, clean, "latin1");
  }
}
