import { globSync } from "node:fs";
import { join } from "node:path";
import { type Check, type CheckContext, oneResult } from "./check.ts";
import { runTool } from "./tool.ts";

const FOLDERS = ["shared", "services", "scripts"];

/** The parts that are used of dependency-cruiser's JSON output. */
interface CruiseReport {
  modules: { source: string }[];
  summary: { violations: { from: string; to: string; rule: { name: string } }[] };
}

export interface Cruise {
  violations: { rule: string; from: string; to: string }[];
  /** Source files that no rule was applied to, since dependency-cruiser did not see them. */
  unseen: string[];
}

/**
 * Applies the import rules of `.dependency-cruiser.cjs` to the source below `folder`. A cruise that sees no module finds no violation
 * either, so what was seen is compared with what is there.
 *
 * @throws {Error} where dependency-cruiser itself fails
 */
export async function cruise(folder: string, context: CheckContext): Promise<Cruise> {
  const config = join(context.root, ".dependency-cruiser.cjs");
  const args = ["--config", config, "--output-type", "json", ...FOLDERS];
  const result = await runTool("dependency-cruiser/bin/dependency-cruiser.mjs", args, context, folder);
  // Its exit code is the number of violations, so only its output tells whether it ran.
  if (!result.stdout.startsWith("{"))
    throw new Error(`dependency-cruiser failed: ${result.stderr || result.stdout}`);
  const report: CruiseReport = JSON.parse(result.stdout);
  const seen = new Set(report.modules.map((module) => module.source));
  return {
    violations: report.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    unseen: sourceFiles(folder).filter((file) => !seen.has(file)),
  };
}

/** TypeScript source below a checkout, as paths relative to it with forward slashes. */
export function sourceFiles(folder: string): string[] {
  const patterns = ["{shared,services}/*/src/**/*.ts", "scripts/**/*.ts"];
  return globSync(patterns, { cwd: folder, exclude: ["**/node_modules/**", "**/fixtures/**"] })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
}

export const importRules: Check = {
  name: "import rules",
  async run(context) {
    const { violations, unseen } = await cruise(context.root, context);
    const lines = [
      ...violations.map(({ rule, from, to }) => `${rule}: ${from} → ${to}`),
      ...unseen.map((file) => `not seen: ${file}`),
    ];
    return oneResult(lines.length === 0, lines.join("\n"));
  },
};
