import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ProofroomError } from "@proofroom/contracts";
import { entriesOf, fetchCommit, fetchPart, partOf } from "./fetch-commit.ts";
import { GitError, type GitSetting, runGit, tooLarge } from "./git-process.ts";
import type { Revision } from "./revision.ts";

interface CheckedOut {
  commit: string;
  /** A folder with the files of the commit, or of the part that is wanted, and nothing of git. */
  tree: string;
  omissions: string[];
}

const maxFiles = 100_000;

/**
 * Fetches one commit and writes its files out: all, or those of the path that is wanted and those that speak of the whole.
 * Links and submodules are left out.
 * @throws ProofroomError unreachable, not_found, too_large, invalid_input, timeout; or the signal's reason
 */
export async function checkOut(url: URL, revision: Revision, setting: GitSetting): Promise<CheckedOut> {
  const repository = join(setting.folder, "repository.git");
  const git = (args: readonly string[], input?: string) =>
    runGit(["--git-dir=repository.git", "--literal-pathspecs", ...args], setting, input);
  const begin = () => runGit(["init", "--quiet", "--bare", "repository.git"], setting);
  const isWhole = revision.path === "";
  await begin();
  let commit = isWhole ? null : await fetchPart(url, revision, git);
  if (commit === null) {
    await rm(repository, { recursive: true });
    await begin();
    commit = await fetchCommit(url, revision, git);
  }
  const tree = join(setting.folder, "tree");
  await mkdir(tree);
  const paths = isWhole ? ["."] : await partOf(commit, revision.path, git);
  if (paths.length === 0) return { commit, tree, omissions: [] };
  const named = isWhole ? [] : paths;
  const listed = entriesOf(await git(["ls-tree", "-r", "-l", "-z", "--full-tree", commit, "--", ...named]));
  const isSubmodule = ({ mode }: { mode: string }) => mode === "160000";
  const files = listed.filter((entry) => !isSubmodule(entry));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > maxFiles || bytes > setting.maxBytes) throw tooLarge();
  if (files.length > 0) {
    await git(["--work-tree=tree", "checkout", "--quiet", "--force", commit, "--", ...paths]).catch(
      (error: unknown) => {
        throw error instanceof GitError ? unwritable() : error;
      },
    );
  }
  const links = files.filter(({ mode }) => mode === "120000");
  await Promise.all(links.map(({ path }) => rm(join(tree, path), { force: true })));
  await rm(repository, { recursive: true });
  const submodules = listed.length - files.length;
  return {
    commit,
    tree,
    omissions: [
      ...(links.length === 0 ? [] : [`Symbolic links (${links.length}).`]),
      ...(submodules === 0 ? [] : [`Submodules (${submodules}).`]),
    ],
  };
}

function unwritable(): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: "The repository holds files whose names cannot be written.",
  });
}
