import { findProgram, runCommand } from "./run-command.ts";

const INSTALL_TIMEOUT_MS = 300_000;

interface PackageManager {
  program: string;
  /** Shell lines that install "$@". */
  script: string;
  /** Whether only root may install. */
  asRoot: boolean;
}

/**
 * Debian starts a service as soon as its package is installed, and again at every boot. A policy-rc.d file is its documented way of
 * forbidding the first; ours forbids only while the installing shell lives, so even one left behind by a power cut does nothing. A policy
 * that is there already is kept, and nothing is installed if it would let Redis start. A Redis that was installed before keeps its service.
 */
const aptScript = `
set -e
fresh=1; if dpkg -s redis-server >/dev/null 2>&1; then fresh=0; fi
policy=/usr/sbin/policy-rc.d
if [ -e "$policy" ]; then
  code=0; "$policy" redis-server start >/dev/null 2>&1 || code=$?
  if [ "$code" != 101 ]; then
    echo "$policy is there and would let redis-server start as a system service." >&2
    exit 1
  fi
else
  trap 'rm -f "$policy"' EXIT
  trap 'exit 130' HUP INT TERM
  printf '#!/bin/sh\\nkill -0 %s 2>/dev/null && exit 101\\nexit 0\\n' "$$" > "$policy"
  chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
install() { apt-get -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@"; }
install "$@" || { apt-get -o DPkg::Lock::Timeout=120 update && install "$@"; }
if [ "$fresh" = 1 ] && [ -x /usr/sbin/update-rc.d ] && dpkg -s redis-server >/dev/null 2>&1; then
  update-rc.d redis-server disable >/dev/null 2>&1 || true
fi
`;

const packageManagers: readonly PackageManager[] = [
  { program: "apt-get", script: aptScript, asRoot: true },
  { program: "dnf", script: 'dnf install -y "$@"', asRoot: true },
  { program: "apk", script: 'apk add --no-cache "$@"', asRoot: true },
  { program: "pacman", script: 'pacman -Sy --noconfirm --needed "$@"', asRoot: true },
  { program: "zypper", script: 'zypper --non-interactive install "$@"', asRoot: true },
  { program: "brew", script: 'brew install "$@"', asRoot: false },
];

/** A program that is wanted, by the names under which it may be on the PATH. */
export interface SystemProgram {
  name: string;
  binaries: readonly string[];
  /** What to install, per package manager where the name differs. */
  package: string;
  packageNames?: Readonly<Record<string, string>>;
}

export const redisProgram: SystemProgram = {
  name: "Redis",
  binaries: ["redis-server", "valkey-server"],
  package: "redis",
  packageNames: { "apt-get": "redis-server", dnf: "valkey", pacman: "valkey" },
};

export interface InstallOptions {
  /** Told before anything is installed and why something could not be. */
  log: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Installs programs with the system's package manager, where that needs no password. Installing a server starts no service.
 *
 * @returns whether the package manager reported success
 */
export async function installPrograms(
  programs: readonly SystemProgram[],
  options: InstallOptions,
): Promise<boolean> {
  const { log, signal } = options;
  const manager = await findManager(signal);
  if (!manager) {
    log("No known package manager is on the PATH.");
    return false;
  }
  const prefix = manager.asRoot ? await rootPrefix(signal) : [];
  if (!prefix) {
    log(`${manager.program} needs a password here (neither root nor sudo without one).`);
    return false;
  }
  const names = programs.map((program) => program.packageNames?.[manager.program] ?? program.package);
  log(`Installing with ${manager.program}: ${names.join(" ")} …`);
  const [command = "sh", ...args] = [...prefix, "sh", "-c", manager.script, "install", ...names];
  const result = await runCommand(command, args, { timeoutMs: INSTALL_TIMEOUT_MS, signal });
  if (result.exitCode === 0) return true;
  const reason = result.stderr.trim().split("\n").at(-1) ?? "";
  log(`${manager.program} could not install ${names.join(" ")}${reason ? `: ${reason}` : "."}`);
  return false;
}

/** Those of the programs of which no binary is on the PATH. */
export async function missingPrograms(
  programs: readonly SystemProgram[],
  signal?: AbortSignal,
): Promise<SystemProgram[]> {
  const found = await Promise.all(programs.map((program) => findProgram(program.binaries, signal)));
  return programs.filter((_, index) => found[index] === undefined);
}

async function findManager(signal: AbortSignal | undefined): Promise<PackageManager | undefined> {
  const program = await findProgram(
    packageManagers.map((manager) => manager.program),
    signal,
  );
  return packageManagers.find((manager) => manager.program === program);
}

/** What to put before a command to run it as root without being asked for a password; undefined where there is no way. */
async function rootPrefix(signal: AbortSignal | undefined): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  const { exitCode } = await runCommand("sudo", ["-n", "true"], { timeoutMs: 10_000, signal });
  return exitCode === 0 ? ["sudo", "-n"] : undefined;
}
