import { execFile } from "node:child_process";
import { cp, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ProofroomError } from "@proofroom/contracts";

const run = promisify(execFile);

/** Fixed, so that the commit has the same hash on every machine. */
const identity = {
  GIT_AUTHOR_NAME: "Proofroom example",
  GIT_AUTHOR_EMAIL: "example@localhost",
  GIT_AUTHOR_DATE: "2026-01-05T09:00:00Z",
  GIT_COMMITTER_NAME: "Proofroom example",
  GIT_COMMITTER_EMAIL: "example@localhost",
  GIT_COMMITTER_DATE: "2026-01-05T09:00:00Z",
};

async function makeRepository(from: string, into: string, signal: AbortSignal): Promise<void> {
  const staged = `${into}.${process.pid}.part`;
  await cp(from, staged, { recursive: true });
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...identity,
  };
  try {
    for (const args of [
      ["init", "--quiet", "--initial-branch=main"],
      ["-c", "core.autocrlf=false", "add", "--all"],
      ["commit", "--quiet", "--message", "Retry with backoff, jitter and a deadline"],
    ]) {
      await run("git", args, { cwd: staged, env, signal });
    }
    await rename(staged, into);
  } catch (cause) {
    await rm(staged, { recursive: true, force: true });
    if ((await stat(into).catch(() => null)) !== null) return;
    throw new ProofroomError({
      code: "dependency_down",
      message: "The example's git repository could not be made.",
      remedy: "Check that git is installed and that the checkout can be written.",
      cause,
    });
  }
}

/** Makes the example's small git repository at its first use; answers the path of the example's guideline. */
export async function prepareExample(checkout: string, signal: AbortSignal): Promise<string> {
  const folder = join(checkout, "examples", "getting-started");
  const repository = join(folder, "sources", "retry-kit");
  if ((await stat(join(repository, ".git")).catch(() => null)) === null) {
    await rm(repository, { recursive: true, force: true });
    await makeRepository(join(folder, "retry-kit"), repository, signal);
  }
  return join(folder, "article_guideline.md");
}

/**
 * The guideline that is to be written: the one that is named, or the example's.
 * @throws ProofroomError invalid_input where both are asked for
 */
export async function namedOrExample(
  { guideline, example }: { guideline: string | undefined; example: boolean },
  checkout: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!example) return guideline;
  if (guideline === undefined) return prepareExample(checkout, signal);
  throw new ProofroomError({
    code: "invalid_input",
    message: "A guideline and --example exclude each other.",
    remedy: "Leave one of them out.",
  });
}
