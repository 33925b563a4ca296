import {
  installPrograms,
  missingPrograms,
  redisProgram,
  type SystemProgram,
} from "../../shared/queue/src/private-redis/system-packages.ts";
import { abortOnSignals } from "./abort-on-signals.ts";
import { checkoutFolder } from "./check.ts";
import { runChecks } from "./run-checks.ts";
import { staticChecks } from "./static-checks.ts";
import { testServers } from "./test-servers.ts";
import { vitestProject } from "./vitest-project.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);
const show = (text: string) => process.stdout.write(text);
const signal = abortOnSignals();
const filters = process.argv.slice(2);
const total = { passed: 0, failed: 0 };

const missing = await provide(testPrograms());
for (const { name } of missing)
  print(`MISSING ${name}: install it, or run where it can be installed without a password.`);
total.failed += missing.length;

if (missing.length === 0) {
  if (filters.length > 0) print(`Only tests that match: ${filters.join(" ")} (static checks left out).`);
  else add(await runChecks(staticChecks, { root: checkoutFolder, signal, atOnce: 2, print }));
  print(testServers(process.env));
  const projects = ["unit", "integration"].map((name) => vitestProject(name, filters, show));
  add(await runChecks(projects, { root: checkoutFolder, signal, atOnce: 1, print }));
  if (total.passed + total.failed === 0) {
    print("No test matches.");
    total.failed = 1;
  }
}
print(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

function add(result: { passed: number; failed: number }): void {
  total.passed += result.passed;
  total.failed += result.failed;
}

/** What the tests run besides Node. */
function testPrograms(): SystemProgram[] {
  const chromium = {
    name: "Chromium",
    binaries: ["chromium", "chromium-browser", "google-chrome"],
    package: "chromium",
  };
  const python = {
    name: "Python 3",
    binaries: ["python3"],
    package: "python3",
    packageNames: { pacman: "python" },
  };
  const git = { name: "git", binaries: ["git"], package: "git" };
  const bubblewrap = { name: "bubblewrap", binaries: ["bwrap"], package: "bubblewrap" };
  // Bubblewrap is made of Linux namespaces and exists nowhere else.
  return [redisProgram, chromium, python, git, ...(process.platform === "linux" ? [bubblewrap] : [])];
}

/** Installs those programs that are missing, where it may; gives those that are missing still. */
async function provide(programs: readonly SystemProgram[]): Promise<SystemProgram[]> {
  const absent = await missingPrograms(programs, signal);
  if (absent.length === 0) return absent;
  if (process.env["PROOFROOM_NO_INSTALL"] === "1") {
    print("PROOFROOM_NO_INSTALL=1 forbids installing what the tests need.");
    return absent;
  }
  await installPrograms(absent, { log: print, signal });
  return missingPrograms(absent, signal);
}
