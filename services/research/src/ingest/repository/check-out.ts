import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ProofroomError } from "@proofroom/contracts";
import { GitError, type GitSetting, runGit, tooLarge } from "./git-process.ts";
import { noRevision, type Revision } from "./revision.ts";

interface CheckedOut {
  commit: string;
  /** A folder with the files of the commit and nothing of git. */
  tree: string;
  omissions: string[];
}

const maxFiles = 100_000;

/**
 * Fetches one commit without history where the host can do that, all of the repository otherwise, and writes its
 * files out. Links and submodules are left out.
 * @throws ProofroomError unreachable, not_found, too_large, invalid_input, timeout; or the signal's reason
 */
export async function checkOut(url: URL, revision: Revision, setting: GitSetting): Promise<CheckedOut> {
  const git = (...args: string[]) => runGit(["--git-dir=repository.git", ...args], setting);
  await runGit(["init", "--quiet", "--bare", "repository.git"], setting);
  const commit = await fetchCommit(url, revision, git);
  const tree = join(setting.folder, "tree");
  await mkdir(tree);
  const listed = listing(await git("ls-tree", "-r", "-l", "-z", "--full-tree", commit));
  if (listed.files > maxFiles || listed.bytes > setting.maxBytes) throw tooLarge();
  if (listed.files > 0) {
    await git("--work-tree=tree", "checkout", "--quiet", "--force", commit, "--", ".").catch(
      (error: unknown) => {
        throw error instanceof GitError ? unwritable() : error;
      },
    );
  }
  await Promise.all(listed.links.map((path) => rm(join(tree, path), { force: true })));
  await rm(join(setting.folder, "repository.git"), { recursive: true });
  return {
    commit,
    tree,
    omissions: [
      ...(listed.links.length === 0 ? [] : [`Symbolic links (${listed.links.length}).`]),
      ...(listed.submodules === 0 ? [] : [`Submodules (${listed.submodules}).`]),
    ],
  };
}

type Git = (...args: string[]) => Promise<string>;

async function fetchCommit(url: URL, { wanted }: Revision, git: Git): Promise<string> {
  const isCommit = "commit" in wanted;
  const single = isCommit ? wanted.commit : wanted.ref;
  const fetch = (...args: string[]) => git("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", ...args);
  if (!isCommit || single.length === 40) {
    const fetched = await succeeds(fetch("--depth=1", url.href, `+${single}:refs/wanted`));
    if (fetched) return full(git, "refs/wanted");
  }
  await fetch(url.href, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*");
  if (single !== "HEAD") return full(git, single);
  // Of a repository without commits the host names no HEAD.
  const hasHead = await succeeds(fetch(url.href, "+HEAD:refs/wanted"));
  if (!hasHead) throw noRevision();
  return full(git, "refs/wanted");
}

async function full(git: Git, name: string): Promise<string> {
  try {
    return (await git("rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`)).trim();
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

/** Lines of `mode type hash size\tpath`, ended by NUL. */
function listing(output: string) {
  const found = { files: 0, bytes: 0, submodules: 0, links: [] as string[] };
  for (const line of output.split("\0")) {
    const match = /^(\d{6}) \w+ [0-9a-f]+ +(\d+|-)\t(.*)$/s.exec(line);
    if (match === null) continue;
    const [, mode, size, path = ""] = match;
    if (mode === "160000") found.submodules += 1;
    else {
      found.files += 1;
      found.bytes += Number(size);
      if (mode === "120000") found.links.push(path);
    }
  }
  return found;
}

function unwritable(): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: "The repository holds files whose names cannot be written.",
  });
}
