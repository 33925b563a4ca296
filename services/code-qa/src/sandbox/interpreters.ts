import { execFile } from "node:child_process";
import { access, constants, realpath } from "node:fs/promises";
import { promisify } from "node:util";

/** A Python that is started by its path, never by a search. */
export interface PythonInterpreter {
  path: string;
  /** Where its standard library is. */
  prefix: string;
  /** Folders of installed packages, which articles must not see. */
  packages: readonly string[];
  version: readonly [major: number, minor: number];
}

const run = promisify(execFile);

/** Where system packages and images put Python 3. A version manager's wrapper script is not among them. */
const PYTHON_PLACES = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"];

const FACTS = `
import json, site, sys
packages = set(site.getsitepackages())
packages.add(site.getusersitepackages())
packages.update(p for p in sys.path if p.endswith(("site-packages", "dist-packages")))
print(json.dumps([sys.executable, sys.base_prefix, sorted(packages), list(sys.version_info[:2])]))
`;

/**
 * The first Python of at least 3.9, or null.
 * @param places paths to try instead of the usual ones
 */
export async function findPython(
  signal: AbortSignal,
  places: readonly string[] = PYTHON_PLACES,
): Promise<PythonInterpreter | null> {
  for (const place of places) {
    try {
      const { stdout } = await run(place, ["-I", "-c", FACTS], {
        env: {},
        cwd: "/",
        signal,
        timeout: 10_000,
      });
      const [path, prefix, packages, version] = JSON.parse(stdout) as [
        string,
        string,
        string[],
        [number, number],
      ];
      if (version[0] === 3 && version[1] >= 9) return { path, prefix, packages, version };
    } catch {
      signal.throwIfAborted();
    }
  }
  return null;
}

/** The path of the first of the given programs that can be executed, links resolved; null if there is none. */
export async function findProgram(places: readonly string[]): Promise<string | null> {
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      return await realpath(place);
    } catch {
      // Not here.
    }
  }
  return null;
}
