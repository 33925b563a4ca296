import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ProofroomError, type Span } from "@proofroom/contracts";
import { attributionOf, type RepositoryAttribution } from "./citation-file.ts";
import { compare, inReadingOrder, packFiles, type TextFile } from "./file-order.ts";
import { pathsWithSecrets } from "./file-secrets.ts";
import { fileSection } from "./file-section.ts";
import { isLfsPointer } from "./lfs-pointer.ts";
import { noPath } from "./revision.ts";

export interface DigestTask {
  /** A folder without settings of git or of the digest. */
  root: string;
  /** The folder in it that is wanted, relative; empty for all. */
  path: string;
  title: string;
}

export interface Digest {
  text: string;
  spans: Span[];
  omissions: string[];
  attribution: RepositoryAttribution;
  /** Of all files that were found, kept or not. */
  contentSha256: string;
  bytes: number;
}

/** The most text of one digest, in UTF-16 code units: about 300,000 tokens. */
const maxText = 1_200_000;
const maxFileBytes = 1_000_000;
/** Documents leave so much of it to code, where there is any. */
const documentShare = 0.6;
/** The most files of which is told what they lost. */
const maxPartly = 20;

/**
 * What is run in a child: the digest of a folder. Nothing of the folder is executed: its files are searched, read
 * and checked for secrets by repomix, whose own settings are given here and never taken from the folder.
 * @throws ProofroomError not_found (no such path), no_evidence (no text)
 */
export async function work(payload: unknown): Promise<Digest> {
  const task = payload as DigestTask;
  const { files, skipped } = await readFiles(task);
  const { usable, generated, stored } = sorted(files);
  const { kept, left } = packFiles(usable, maxText, documentShare);
  const secret = await pathsWithSecrets(kept);
  let text = `# ${task.title}\n\n`;
  const spans: Span[] = [];
  const unreadable: string[] = [];
  const partly: string[] = [];
  for (const file of inReadingOrder(kept.filter(({ path }) => !secret.has(path)))) {
    const section = sectionOf(file);
    if (section === null || section.spans.length === 0) {
      if (section === null) unreadable.push(file.path);
      continue;
    }
    for (const span of section.spans) {
      spans.push({ ...span, start: span.start + text.length, end: span.end + text.length });
    }
    text += section.markdown;
    partly.push(...section.omissions);
  }
  if (spans.length === 0) throw noText();
  return {
    text,
    spans,
    omissions: [
      ...named(skipped, "Files that are binary or larger than 1 MB"),
      ...named(generated, "Generated or minified files"),
      ...named(stored, "Files of which git holds only a pointer (LFS)"),
      ...named([...secret], "Files that seem to hold secrets"),
      ...named(unreadable, "Files that cannot be read"),
      ...named(
        left.map(({ path }) => path),
        "Files beyond the size of a digest",
      ),
      ...partly.slice(0, maxPartly),
      ...(partly.length > maxPartly ? [`Parts of ${partly.length - maxPartly} more files.`] : []),
    ],
    attribution: await attributionOf(task.root),
    contentSha256: hashOf(files),
    bytes: files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
  };
}

async function readFiles({ root, path }: DigestTask): Promise<{ files: TextFile[]; skipped: string[] }> {
  const base = join(root, path);
  const found = await stat(base).catch(() => null);
  if (found?.isDirectory() !== true) throw noPath();
  const prefix = path === "" ? "" : `${path}/`;
  const { collectFiles, mergeConfigs, searchFiles, setLogLevel } = await import("repomix");
  setLogLevel(-1);
  const config = mergeConfigs(
    base,
    {},
    {
      input: { maxFileSize: maxFileBytes },
      // Rules for ignoring would be looked for in the folders above as well.
      ignore: { useGitignore: false, useDotIgnore: false, useDefaultPatterns: true },
      output: { git: { sortByChanges: false } },
    },
  );
  const paths = (await searchFiles(base, config)).filePaths;
  const { rawFiles, skippedFiles } = await collectFiles(paths, base, config);
  const files = rawFiles.map((file) => ({
    path: prefix + file.path,
    content: file.content.replaceAll(/\r\n?/g, "\n").toWellFormed(),
  }));
  return {
    files: files.sort((one, other) => compare(one.path, other.path)),
    skipped: skippedFiles.map((file) => prefix + file.path),
  };
}

/**
 * Keeps apart what is no text of its authors: long lines on the whole are what programs write (only prose has
 * them as well), and of large files the host may hold the content elsewhere.
 */
function sorted(files: readonly TextFile[]) {
  const usable: TextFile[] = [];
  const generated: string[] = [];
  const stored: string[] = [];
  for (const file of files) {
    const { path, content } = file;
    if (content.trim() === "") continue;
    const isProse = /\.(?:md|markdown|mdx|rst|txt|adoc|ipynb)$/i.test(path);
    const lineLength = content.length / content.split("\n").length;
    if (isLfsPointer(content)) stored.push(path);
    else if (!isProse && content.length > 5_000 && lineLength > 300) generated.push(path);
    else usable.push(file);
  }
  return { usable, generated, stored };
}

/** Null of a file that cannot be read, whatever it holds: the others are worth having. */
function sectionOf(file: TextFile) {
  try {
    return fileSection(file);
  } catch {
    return null;
  }
}

function hashOf(files: readonly TextFile[]): string {
  const hash = createHash("sha256");
  for (const { path, content } of files) {
    hash.update(`${path}\0${createHash("sha256").update(content).digest("hex")}\n`);
  }
  return hash.digest("hex");
}

function named(paths: readonly string[], what: string): string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, 10).join(", ");
  return [`${what} (${paths.length}): ${shown}${paths.length > 10 ? ", …" : ""}.`];
}

function noText(): ProofroomError {
  return new ProofroomError({
    code: "no_evidence",
    message: "The repository or folder holds no text that can be read.",
    remedy: "Give a folder with documents or code.",
  });
}
