import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { readManifest, type Workspace } from "./workspaces.ts";

/**
 * The folders, relative to `installed`, of the installed packages that the given workspaces need where they run. npm installs for
 * all workspaces at once; a dependency is found as Node finds it, in the `node_modules` nearest above who needs it.
 *
 * @param installed the absolute path, without a slash at its end, of the folder in which `npm ci` ran
 * @throws Error where one that is needed is not installed
 */
export function installedPackages(installed: string, workspaces: readonly Workspace[]): string[] {
  const own = new Set(workspaces.map(({ manifest }) => manifest.name));
  const needed = new Set<string>();
  const open = workspaces.map(({ folder }) => join(installed, folder));
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const manifest = readManifest(folder);
    const { name, dependencies = {}, optionalDependencies = {} } = manifest;
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
    const required = Object.keys(dependencies).filter((dependency) => !(dependency in optionalDependencies));
    // A peer that is optional is for a part of the package that we would have to ask for.
    const peers = Object.keys(peerDependencies).filter(
      (peer) => peerDependenciesMeta[peer]?.optional !== true,
    );
    const wanted = [...Object.keys(optionalDependencies), ...peers];
    for (const dependency of [...required, ...wanted]) {
      if (own.has(dependency)) continue;
      const found = resolvePackage(installed, folder, dependency);
      // What is optional is not there on every platform; a peer that is not there is one that can be done without.
      if (found === null && wanted.includes(dependency)) continue;
      if (found === null) throw new Error(`${dependency}, which ${name} needs, is not installed.`);
      if (needed.has(found)) continue;
      needed.add(found);
      open.push(found);
    }
  }
  return [...needed].map((folder) => relative(installed, folder).split(sep).join("/")).sort();
}

function resolvePackage(root: string, from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (folder === root) return null;
  }
}
