import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { installedPackages } from "./installed-packages.ts";
import { findWorkspaces, workspaceClosure } from "./workspaces.ts";

export interface Assembly {
  /** A checkout; of one in which `npm ci` has run, its installed packages can be laid out. */
  checkout: string;
  /** Our own packages that the image is for. */
  packages: readonly string[];
  into: string;
}

/** Of installed packages, what no program reads. */
const unread = /\.(?:d\.[cm]?ts|map|tsbuildinfo)$/;
/** Of our own, what only tests use. */
const forTests = /\.test\.ts$|\/(?:testing|fixtures|__snapshots__)$/;

/** Lays out the installed packages that an image needs. Of our own packages it reads only what they declare. */
export function assembleModules(assembly: Assembly): void {
  const { checkout, closure, into } = opened(assembly);
  for (const folder of installedPackages(checkout, closure)) {
    // Packages of their own below this one are copied where they are needed.
    copy(
      join(checkout, folder),
      join(into, folder),
      (path) => basename(path) !== "node_modules" && !unread.test(path),
    );
  }
  for (const { folder, manifest } of closure) {
    const link = join(into, "node_modules", manifest.name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(into, folder)), link);
  }
}

/**
 * Lays out our own packages that an image needs.
 * @param extra further files and folders of the checkout that it needs
 */
export function assembleSource(assembly: Assembly, extra: readonly string[]): void {
  const { checkout, closure, into } = opened(assembly);
  const own = closure.flatMap(({ folder }) => [`${folder}/package.json`, `${folder}/src`]);
  // The package.json at the top says that what lies below is ES modules.
  for (const path of ["package.json", ...own, ...extra]) {
    copy(join(checkout, path), join(into, path), (file) => !forTests.test(file));
  }
}

function opened({ packages, ...places }: Assembly) {
  const checkout = resolve(places.checkout);
  return {
    checkout,
    into: resolve(places.into),
    closure: workspaceClosure(findWorkspaces(checkout), packages),
  };
}

function copy(from: string, to: string, keeps: (path: string) => boolean): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, filter: (path) => path === from || keeps(path) });
}
