import { fileURLToPath } from "node:url";

/** The checkout that these checks belong to. */
export const checkoutFolder = fileURLToPath(new URL("../..", import.meta.url));

/** Where a check runs and how it is stopped. */
export interface CheckContext {
  root: string;
  signal: AbortSignal;
}

export interface CheckResult {
  passed: number;
  failed: number;
  /** What to show where something failed. */
  output: string;
}

export interface Check {
  name: string;
  run(context: CheckContext): Promise<CheckResult>;
}

/** The result of a check that counts as one. */
export function oneResult(ok: boolean, output: string): CheckResult {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, output };
}
