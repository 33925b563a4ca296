import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The parts of a `package.json` that say what a package needs where it runs. */
export interface Manifest {
  name: string;
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
}

export interface Workspace {
  /** Its folder below the checkout, with slashes. */
  folder: string;
  manifest: Manifest;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Our own packages in a checkout, by their names. */
export function findWorkspaces(checkout: string): ReadonlyMap<string, Workspace> {
  const found = new Map<string, Workspace>();
  for (const group of ["shared", "services"]) {
    for (const entry of readdirSync(join(checkout, group), { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const folder = `${group}/${entry.name}`;
      const manifest = readManifest(join(checkout, folder));
      found.set(manifest.name, { folder, manifest });
    }
  }
  return found;
}

/**
 * The workspaces that those named need where they run, they themselves among them, sorted by their folders.
 * @throws Error where a name is none of ours
 */
export function workspaceClosure(
  workspaces: ReadonlyMap<string, Workspace>,
  names: readonly string[],
): Workspace[] {
  const needed = new Map<string, Workspace>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue;
    const workspace = workspaces.get(name);
    if (workspace === undefined) throw new Error(`There is no package ${name} in this checkout.`);
    needed.set(name, workspace);
    open.push(...Object.keys(workspace.manifest.dependencies ?? {}).filter((needs) => workspaces.has(needs)));
  }
  return [...needed.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}
