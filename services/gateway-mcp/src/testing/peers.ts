import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const installer = fileURLToPath(new URL("../../../../scripts/install-mcp-peers.mjs", import.meta.url));
const programs = fileURLToPath(new URL("../../peers/node_modules/.bin/", import.meta.url));

/** How long an installation may take, in milliseconds: some 220 packages over the network. */
export const installMs = 240_000;

/** After so long a program of theirs is ended, in milliseconds; a test that runs one may take a little longer. */
const programMs = 100_000;
export const peerTestMs = 120_000;

/**
 * Installs other people's programs that the tests run, once for all tests.
 * @throws Error with npm's own words where that cannot be done
 */
export async function installPeers(): Promise<void> {
  await promisify(execFile)(process.execPath, [installer]);
}

/**
 * Runs one of them to its end.
 * @param home where it may keep files, and is started
 */
export function runPeer(name: "conformance" | "mcp-inspector", args: readonly string[], home: string) {
  const env = { PATH: process.env["PATH"], HOME: home };
  const options = { cwd: home, env, maxBuffer: 2 ** 26, timeout: programMs };
  return new Promise<{ exitCode: number | string; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [`${programs}${name}`, ...args], options, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : (error.code ?? "killed"), stdout, stderr }),
    );
  });
}
