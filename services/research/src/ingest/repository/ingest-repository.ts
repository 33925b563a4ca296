import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Source } from "@proofroom/contracts";
import { makeSource } from "@proofroom/evidence";
import { type ParsePool, parserHeapMb } from "../parsing/parse-pool.ts";
import { checkOut } from "./check-out.ts";
import type { Digest, DigestTask } from "./digest.ts";
import { accessRepository, type NetworkPolicy } from "./git-access.ts";
import { type GitSetting, runGit } from "./git-process.ts";
import { stripTree, writeTree } from "./plain-tree.ts";
import { parseRepositoryUrl } from "./repository-url.ts";
import { findRevision } from "./revision.ts";

interface Common {
  signal: AbortSignal;
  /** Where the digest is made. */
  parsing: ParsePool;
  /** Where the temporary folder is made; it is removed in the end. */
  tempRoot: string;
  /** ISO 8601; left out of the provenance where not given. */
  retrievedAt?: string;
}

interface RemoteRepository extends Common {
  /** A URL as `parseRepositoryUrl` reads it. */
  ref: string;
  network: NetworkPolicy;
  /** Passed on to git: PATH, and what the machine needs to reach the network. */
  gitEnvironment?: Readonly<Record<string, string>>;
  /** Bytes that a clone may take (500 MB). */
  maxBytes?: number;
}

interface UploadedFolder extends Common {
  /** The path as the guideline gives it. */
  ref: string;
  /** Of a folder that was a git repository: the commit that was copied. */
  commit?: string;
  isRepository: boolean;
  /** How many of its files were not copied: links, and names that cannot be stored. */
  skipped?: number;
  /** Paths relative to the folder. */
  files: Iterable<{ path: string; bytes: Uint8Array }> | AsyncIterable<{ path: string; bytes: Uint8Array }>;
}

const cloneTimeoutMs = 240_000;
const defaultMaxBytes = 500 * 1024 * 1024;

/**
 * Turns a git repository, or a folder or file of it, into a source: one section per file, within about 1.2 million
 * characters, documents first. The same commit gives the same source, byte for byte. Git runs without any
 * configuration but ours, and nothing that the repository holds is executed.
 * @throws ProofroomError invalid_input, not_found, private_address, unreachable, too_large, timeout, no_evidence,
 *   not_configured; or the signal's reason
 */
export async function ingestRepository(repository: RemoteRepository): Promise<Source> {
  const { ref, signal, network } = repository;
  const address = parseRepositoryUrl(ref);
  const access = await accessRepository(address.url, network, signal);
  return inTempFolder(repository.tempRoot, async (folder) => {
    const setting: GitSetting = {
      folder,
      environment: repository.gitEnvironment ?? {},
      protocol: access.url.protocol === "http:" ? "http" : "https",
      config: access.config,
      signal,
      timeoutMs: cloneTimeoutMs,
      maxBytes: repository.maxBytes ?? defaultMaxBytes,
    };
    const advertised =
      address.rest.length === 0
        ? ""
        : await runGit(["ls-remote", "--heads", "--tags", access.url.href], setting);
    const revision = findRevision(advertised, address.rest);
    const { commit, tree, omissions } = await checkOut(access.url, revision, setting);
    await stripTree(tree);
    const below = revision.path === "" ? "" : `/${revision.path}`;
    const title = `${address.name}${below}${revision.name === null ? "" : ` at ${revision.name}`}`;
    const digest = await digestOf({ root: tree, path: revision.path, title }, repository);
    return sourceOf({ ref, kind: "repository", title }, digest, {
      method: "git",
      media_type: "application/x-git",
      ...retrieved(repository),
      final_url: access.url.href,
      commit,
      ...(revision.name === null ? {} : { revision: revision.name }),
      omissions,
    });
  });
}

/**
 * Turns an uploaded folder into a source, by the same digest and without git.
 * @throws ProofroomError invalid_input, no_evidence, timeout, too_large; or the signal's reason
 */
export async function ingestFolder(upload: UploadedFolder): Promise<Source> {
  return inTempFolder(upload.tempRoot, async (folder) => {
    await writeTree(folder, upload.files);
    const title = upload.ref.replace(/\/+$/, "").split("/").at(-1) || upload.ref;
    const digest = await digestOf({ root: folder, path: "", title }, upload);
    return sourceOf({ ref: upload.ref, kind: upload.isRepository ? "repository" : "folder", title }, digest, {
      method: "file",
      media_type: "inode/directory",
      ...retrieved(upload),
      ...(upload.commit === undefined ? {} : { commit: upload.commit }),
      omissions: upload.skipped
        ? [`Links, and files that cannot be read or stored (${upload.skipped}).`]
        : [],
    });
  });
}

async function inTempFolder<T>(tempRoot: string, use: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(tempRoot, { recursive: true });
  const folder = await realpath(await mkdtemp(join(tempRoot, "repository-")));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function digestOf(task: DigestTask, { parsing, signal }: Common): Promise<Digest> {
  return parsing.run<Digest>(new URL("./digest.ts", import.meta.url), task, {
    signal,
    timeoutMs: 120_000,
    maxOldSpaceMb: parserHeapMb,
  });
}

function retrieved({ retrievedAt }: Common): { retrieved_at?: string } {
  return retrievedAt === undefined ? {} : { retrieved_at: retrievedAt };
}

function sourceOf(
  named: Pick<Source, "ref" | "kind" | "title">,
  { text, spans, omissions, licence, contentSha256, bytes }: Digest,
  facts: Omit<Source["provenance"], "content_sha256" | "bytes">,
): Source {
  return makeSource({
    ...named,
    title: named.title.slice(0, 200).toWellFormed(),
    text,
    spans,
    provenance: {
      ...facts,
      content_sha256: contentSha256,
      bytes,
      ...(licence === null ? {} : { licence }),
      omissions: [...facts.omissions, ...omissions],
    },
  });
}
