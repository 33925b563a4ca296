import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "./dependencies.mjs";
import { findNode } from "./node-binary.mjs";

const checkoutFolder = fileURLToPath(new URL("../..", import.meta.url));
const FORWARDED = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
const SAME_KEYPRESS_MS = 1_000;

/**
 * Runs a script of the checkout under Node 24 after seeing to the npm dependencies, and ends this process as the script ended:
 * same exit code, or 128 + the number of the signal that killed it.
 *
 * @param {string} script path below the checkout
 * @param {readonly string[]} args
 */
export async function launch(script, args) {
  try {
    await ensureDependencies(checkoutFolder, { log: (line) => process.stderr.write(`${line}\n`) });
    const node = findNode(checkoutFolder);
    process.exit(await runHere(node, [join(checkoutFolder, script), ...args]));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
async function runHere(command, args) {
  // npm changes into the checkout and says in INIT_CWD where the user stood; without npm that is the current folder.
  const env = {
    // Compiled once, found again by every later command: a third of the time of a short one.
    NODE_COMPILE_CACHE: join(checkoutFolder, "node_modules", ".cache", "compiled"),
    ...process.env,
    INIT_CWD: process.env.INIT_CWD || process.cwd(),
    // So that hints can name a command as it was typed.
    PROOFROOM_LAUNCHER: process.argv[1] ?? "",
  };
  const child = spawn(command, args, { stdio: "inherit", env });
  let lastInterrupt = 0;
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      // Ctrl-C reaches the whole process group and comes once more through npm: one keypress is passed on once.
      if (signal === "SIGINT" && Date.now() - lastInterrupt < SAME_KEYPRESS_MS) return;
      if (signal === "SIGINT") lastInterrupt = Date.now();
      child.kill(signal);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}
