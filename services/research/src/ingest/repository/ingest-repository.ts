import { mkdir, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Source } from "@proofroom/contracts";
import { makeSource } from "@proofroom/evidence";
import { type ParsePool, parserHeapMb } from "../parsing/parse-pool.ts";
import { checkOut } from "./check-out.ts";
import type { Digest, DigestTask } from "./digest.ts";
import { accessRepository, type NetworkPolicy } from "./git-access.ts";
import { type GitSetting, runGit } from "./git-process.ts";
import { ingestFile } from "./ingest-file.ts";
import { stripTree, writeTree } from "./plain-tree.ts";
import { titleOf, wantedPath } from "./repository-title.ts";
import { parseRepositoryUrl } from "./repository-url.ts";
import { findRevision } from "./revision.ts";
import { removeToken } from "./without-token.ts";

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
  /** How long git may take for all of it, in milliseconds (four minutes). */
  timeoutMs?: number;
  /** Bytes of address space that each process of git may take (2 GB). */
  maxMemoryBytes?: number;
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

const defaultTimeoutMs = 240_000;
const defaultMaxBytes = 500 * 1024 * 1024;
const defaultMaxMemoryBytes = 2 * 1024 * 1024 * 1024;

/**
 * Turns a git repository or a folder of it into a source: one section per file, within about 1.2 million
 * characters, documents first. One file, also the only one of a gist, is read like a local file of its kind. The same
 * commit gives the same source, byte for byte. Git runs without any configuration but ours, and nothing that the
 * repository holds is executed.
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
      ...(access.header === undefined ? {} : { header: access.header }),
      signal,
      endsAt: performance.now() + (repository.timeoutMs ?? defaultTimeoutMs),
      maxBytes: repository.maxBytes ?? defaultMaxBytes,
      maxMemoryBytes: repository.maxMemoryBytes ?? defaultMaxMemoryBytes,
    };
    const advertised =
      address.rest.length === 0
        ? ""
        : await runGit(["ls-remote", "--heads", "--tags", access.url.href], setting);
    const revision = findRevision(advertised, address.rest);
    const { commit, tree, omissions } = await checkOut(access.url, revision, setting);
    await stripTree(tree);
    if (access.header !== undefined) await removeToken(tree, access.header, signal);
    const files = address.isGist ? (await readdir(tree)).sort() : [];
    const path = wantedPath(address, revision, files);
    const title = titleOf(address, revision, files);
    const facts = {
      method: "git" as const,
      ...retrieved(repository),
      final_url: access.url.href,
      commit,
      ...(revision.name === null ? {} : { revision: revision.name }),
    };
    const isFile = await stat(join(tree, path)).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) return ingestFile({ ...repository, root: tree, path, title, facts });
    const digest = await digestOf({ root: tree, path, title }, repository);
    return sourceOf({ ref, kind: "repository", title }, digest, {
      ...facts,
      media_type: "application/x-git",
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
  { text, spans, omissions, attribution, contentSha256, bytes }: Digest,
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
      ...attribution,
      omissions: [...facts.omissions, ...omissions],
    },
  });
}
