import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { ProofroomError } from "@proofroom/contracts";

const run = promisify(execFile);

/**
 * Clones a repository on this machine without ever running git inside it: its own configuration may name
 * programs, and git would execute them. Answers the commit.
 * @throws ProofroomError invalid_input where it cannot be cloned, not_configured without git
 */
export async function cloneLocal(folder: string, into: string, signal: AbortSignal): Promise<string> {
  const options = {
    signal,
    timeout: 120_000,
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin",
      LC_ALL: "C",
      GIT_TERMINAL_PROMPT: "0",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_ALLOW_PROTOCOL: "file",
      GIT_LFS_SKIP_SMUDGE: "1",
      GIT_NO_LAZY_FETCH: "1",
    },
  };
  const safe = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.symlinks=false"];
  try {
    const clone = ["clone", "--quiet", "--depth", "1", "--no-tags", pathToFileURL(folder).href, into];
    await run("git", [...safe, ...clone], options);
    const { stdout } = await run("git", [...safe, "-C", into, "rev-parse", "HEAD"], options);
    return stdout.trim();
  } catch (cause) {
    signal.throwIfAborted();
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") {
      throw new ProofroomError({
        code: "not_configured",
        message: "Git could not be started.",
        remedy: "Install git.",
        cause,
      });
    }
    throw new ProofroomError({
      code: "invalid_input",
      message: "The folder holds a git repository that cannot be cloned.",
      remedy: "Check that it has a commit and belongs to you; or remove its .git folder.",
      cause,
    });
  }
}
