import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Cost, costText } from "./cost-text.ts";

export interface SmokeOptions {
  /** The checkout. */
  root: string;
  /** Where the user stands. */
  cwd: string;
  /** A folder for the recordings of the run, to be kept as fixtures. */
  keep: string | undefined;
  signal: AbortSignal;
  print(line: string): void;
}

/** The most that one run of this may cost, in US dollars at list prices. */
const budget = "0.25";

interface Finding {
  name: string;
  state: string;
  what: string;
  fix?: string;
}

interface Result {
  run_id: string;
  status: string;
  article: string | null;
  reasons: string[];
  error: { message: string; remedy?: string } | null;
  cost: Cost | null;
}

async function proofroom<T>(
  options: SmokeOptions,
  ...args: string[]
): Promise<{ code: number | null; value: T }> {
  const { root, cwd, signal } = options;
  const child = spawn(
    process.execPath,
    [join(root, "services", "cli", "src", "main.ts"), ...args, "--json"],
    {
      cwd,
      signal,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, value: JSON.parse(Buffer.concat(said).toString("utf8")) as T };
}

/** What stands in the way of asking a model; null where one is there for the drafter. */
function missing(findings: readonly Finding[]): string | null {
  const models = findings.find(({ name }) => name === "Models");
  return models?.state === "ok" ? null : `No model is configured. ${models?.fix ?? ""}`;
}

/**
 * Writes the example with the user's own providers, at most for a quarter of a dollar, and replays it offline. Answers an exit
 * code: 0 where the article was written by a model and came out the same again, 4 where a setting is missing.
 */
export async function smokeLive(options: SmokeOptions): Promise<number> {
  const { print } = options;
  const { findings } = (await proofroom<{ findings: Finding[] }>(options, "doctor")).value;
  const wanting = missing(findings);
  if (wanting !== null) {
    print(wanting);
    return 4;
  }
  const written = await proofroom<Result>(options, "write", "--example", "--budget", budget);
  const { run_id, status, article, error, cost, reasons } = written.value;
  print(`${run_id}: ${status}${article === null ? "" : `, ${article}`}`);
  for (const reason of reasons) print(`  - ${reason}`);
  if (error !== null) print(`${error.message} ${error.remedy ?? ""}`);
  if (cost !== null) print(costText(cost, budget));
  if (status !== "succeeded" || cost === null) return 1;
  if (options.keep !== undefined) await keep(options, run_id, findings, options.keep);
  const replayed = await proofroom<Result>(options, "replay", run_id);
  const isSame = replayed.value.status === "succeeded" && replayed.code === written.code;
  print(isSame ? "Replayed offline: the same article." : "The replay did not come out the same.");
  return isSame ? 0 : 1;
}

/** Copies what was asked and answered into a folder. */
async function keep(
  options: SmokeOptions,
  runId: string,
  findings: readonly Finding[],
  folder: string,
): Promise<void> {
  const home = findings.find(({ name }) => name === "Home")?.what ?? "";
  const target = resolve(options.cwd, folder);
  await cp(join(home, "runs", runId, ".nova", "recordings"), target, { recursive: true });
  options.print(`Its recordings are kept in ${target}`);
}
