import { existsSync } from "node:fs";
import { join } from "node:path";

const NEEDED_MAJOR = 24;

/**
 * Path of a Node that runs TypeScript directly: the one installed with the npm dependencies, else the running one where it is
 * new enough.
 *
 * @param {string} root the checkout
 * @param {{ platform?: string, arch?: string, version?: string, execPath?: string }} running facts of the running process, given by tests
 * @returns {string}
 * @throws {Error} where neither is there; the message says how to mend it
 */
export function findNode(root, running = {}) {
  const { platform = process.platform, arch = process.arch } = running;
  const { version = process.versions.node, execPath = process.execPath } = running;
  if (platform === "linux") {
    const bundled = join(root, `node_modules/node-linux-${arch}/bin/node`);
    if (existsSync(bundled)) return bundled;
  }
  if (Number.parseInt(version, 10) >= NEEDED_MAJOR) return execPath;
  throw new Error(
    `Proofroom needs Node ${NEEDED_MAJOR} or newer; this is Node ${version} and none came with the npm dependencies for ${platform}-${arch}. Install Node ${NEEDED_MAJOR} (https://nodejs.org) and run the command again.`,
  );
}
