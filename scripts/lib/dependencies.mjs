import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const STAMP = "node_modules/.proofroom-installed";
const INSTALL_LOCK = ".proofroom/install.lock";

/**
 * Makes `node_modules` of a checkout agree with its `package-lock.json`, by `npm ci` where it does not. Two commands started at
 * once install once: the second waits for the first.
 *
 * @param {string} root the checkout
 * @param {{ log: (line: string) => void, install?: (root: string) => Promise<void> }} options
 * @returns {Promise<boolean>} whether anything was installed
 */
export async function ensureDependencies(root, { log, install = npmCi }) {
  if (dependenciesAreCurrent(root)) return false;
  const release = await takeInstallLock(join(root, INSTALL_LOCK), log);
  try {
    if (dependenciesAreCurrent(root)) return false;
    log("Installing npm dependencies (npm ci) …");
    await install(root);
    writeFileSync(join(root, STAMP), lockfileHash(root));
    return true;
  } finally {
    release();
  }
}

/**
 * The stamp knows what was installed by these scripts; an installation made by hand is known by npm's own record being younger
 * than both the lock file and the stamp.
 *
 * @param {string} root
 */
function dependenciesAreCurrent(root) {
  const record = modifiedAt(join(root, "node_modules/.package-lock.json"));
  if (record === undefined) return false;
  if (readText(join(root, STAMP)) === lockfileHash(root)) return true;
  const newest = Math.max(
    modifiedAt(join(root, "package-lock.json")) ?? 0,
    modifiedAt(join(root, STAMP)) ?? 0,
  );
  return record >= newest;
}

/** @param {string} root */
function lockfileHash(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/**
 * @param {string} root
 * @param {readonly string[]} options further ones of npm
 */
export async function npmCi(root, options = []) {
  // npm's chatter goes to stderr: stdout belongs to the command that is about to run.
  const child = spawn("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error", ...options], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  const [code] = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (...result) => resolve(result));
  });
  if (code !== 0)
    throw new Error("npm ci failed; its messages are above. Mend that and run the command again.");
}

/**
 * @param {string} file
 * @param {(line: string) => void} log
 * @returns {Promise<() => void>} gives the lock back
 */
async function takeInstallLock(file, log) {
  const folder = dirname(file);
  let told = false;
  for (;;) {
    mkdirSync(folder, { recursive: true });
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      return () => {
        rmSync(file, { force: true });
        removeIfEmpty(folder);
      };
    } catch (error) {
      if (errorCode(error) === "ENOENT") continue;
      if (errorCode(error) !== "EEXIST") throw error;
    }
    const left = abandonedLock(file);
    if (left !== undefined) {
      removeIfUnchanged(file, left);
      continue;
    }
    if (!told) log("Another command is installing npm dependencies; waiting for it …");
    told = true;
    await delay(200);
  }
}

/**
 * @param {string} file
 * @returns {string | undefined} the text of a lock whose owner is gone
 */
function abandonedLock(file) {
  const text = readText(file);
  if (text === undefined) return undefined;
  const pid = Number(text);
  // Created but not yet written: its owner is between two system calls, unless it died there.
  if (!Number.isInteger(pid) || pid <= 0) {
    return Date.now() - (modifiedAt(file) ?? Date.now()) > 5_000 ? text : undefined;
  }
  try {
    process.kill(pid, 0);
    return undefined;
  } catch (error) {
    return errorCode(error) === "ESRCH" ? text : undefined;
  }
}

/**
 * Two waiters may find the same abandoned lock; the slower one must not remove the lock that the faster one has taken since.
 *
 * @param {string} file
 * @param {string} text
 */
function removeIfUnchanged(file, text) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readText(aside) !== text) linkSync(aside, file);
  } catch {
    // Another waiter was faster.
  }
  rmSync(aside, { force: true });
}

/** @param {string} folder */
function removeIfEmpty(folder) {
  try {
    rmdirSync(folder);
  } catch {
    // It holds runs: it stays.
  }
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** @param {string} file */
function modifiedAt(file) {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}

/** @param {unknown} error */
function errorCode(error) {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
