import { GitError, tooLarge } from "./git-process.ts";
import { isLicenceFile } from "./licence.ts";
import { noRevision, type Revision } from "./revision.ts";

/** Runs git in the repository. The second argument is what it reads. */
type Git = (args: readonly string[], input?: string) => Promise<string>;

const quietly = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no"];
const blobless = "--filter=blob:none";
const maxFiles = 100_000;

/** Fetches one commit without history where the host can do that, all of the repository otherwise. */
export async function fetchCommit(url: URL, revision: Revision, git: Git): Promise<string> {
  const name = fetchableName(revision);
  if (name !== null) {
    const fetched = await succeeds(git([...quietly, "--depth=1", url.href, `+${name}:refs/wanted`]));
    if (fetched) return full(git, "refs/wanted");
  }
  await git([...quietly, url.href, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]);
  const wanted = wantedName(revision);
  if (wanted !== "HEAD") return full(git, wanted);
  // Of a repository without commits the host names no HEAD.
  const hasHead = await succeeds(git([...quietly, url.href, "+HEAD:refs/wanted"]));
  if (!hasHead) throw noRevision();
  return full(git, "refs/wanted");
}

/**
 * Fetches of one commit the lists of names, and of its files only those of the path that is wanted; null where the host
 * cannot do that. One that ignores the filter sends all files of the commit, which does as well.
 */
export async function fetchPart(url: URL, revision: Revision, git: Git): Promise<string | null> {
  const name = fetchableName(revision);
  if (name === null) return null;
  const first = git([...quietly, "--depth=1", blobless, url.href, `+${name}:refs/wanted`]);
  if (!(await succeeds(first))) return null;
  const commit = await full(git, "refs/wanted");
  const paths = await partOf(commit, revision.path, git);
  if (paths.length === 0) return commit;
  const files = entriesOf(await git(["ls-tree", "-r", "-z", "--full-tree", commit, "--", ...paths]));
  const hashes = new Set(files.filter(({ type }) => type === "blob").map(({ hash }) => hash));
  if (hashes.size > maxFiles) throw tooLarge();
  if (hashes.size === 0) return commit;
  const input = [...hashes].map((hash) => `${hash}\n`).join("");
  const rest = git(
    ["-c", "fetch.negotiationAlgorithm=noop", ...quietly, blobless, "--stdin", url.href],
    input,
  );
  return (await succeeds(rest)) ? commit : null;
}

/** Which of the path, and of the files that speak of the whole, there are in a commit. */
export async function partOf(commit: string, path: string, git: Git): Promise<string[]> {
  const list = (...names: string[]) =>
    git(["ls-tree", "-z", "--full-tree", commit, "--", ...names]).then(entriesOf);
  const [found, root] = [await list(path), await list()];
  const ofWhole = root.filter((entry) => entry.type === "blob" && speaksOfWhole(entry.path));
  return [...new Set([...found, ...ofWhole].map((entry) => entry.path))];
}

/** Its licence, and who made it. */
function speaksOfWhole(name: string): boolean {
  return isLicenceFile(name) || /^(?:citation|authors|contributors)(?:\.[a-z]{2,3})?$/i.test(name);
}

/** What a host can be asked for by name; of a shortened hash it knows nothing. */
function fetchableName({ wanted }: Revision): string | null {
  if ("ref" in wanted) return wanted.ref;
  return wanted.commit.length === 40 ? wanted.commit : null;
}

function wantedName({ wanted }: Revision): string {
  return "ref" in wanted ? wanted.ref : wanted.commit;
}

async function full(git: Git, name: string): Promise<string> {
  try {
    return (await git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`])).trim();
  } catch (error) {
    throw error instanceof GitError ? noRevision() : error;
  }
}

async function succeeds(run: Promise<string>): Promise<boolean> {
  try {
    await run;
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

interface TreeEntry {
  mode: string;
  type: string;
  hash: string;
  /** In bytes, where it was asked for; of a file. */
  size: number;
  path: string;
}

/** Lines of `mode type hash\tpath` or `mode type hash size\tpath`, ended by NUL. */
export function entriesOf(output: string): TreeEntry[] {
  return output.split("\0").flatMap((line) => {
    const match = /^(\d{6}) (\w+) ([0-9a-f]+)(?: +(\d+|-))?\t(.*)$/s.exec(line);
    if (match === null) return [];
    const [, mode = "", type = "", hash = "", size = "", path = ""] = match;
    return [{ mode, type, hash, size: Number.parseInt(size, 10) || 0, path }];
  });
}
