import type { Logger } from "@proofroom/telemetry";
import { findPython } from "./sandbox/interpreters.ts";
import type { SandboxDriver } from "./sandbox/sandbox-driver.ts";
import { type DriverName, selectDriver } from "./sandbox/select-driver.ts";
import { createSyntaxChecker, type SyntaxChecker } from "./syntax/check-syntax.ts";
import { PythonHelper } from "./syntax/python-helper.ts";

/** What checking code takes. Made once per process and closed by its owner. */
export interface CodeTools {
  driver: SandboxDriver;
  checkSyntax: SyntaxChecker;
  /** Null where no Python was found: its blocks are then unchecked. */
  python: PythonHelper | null;
  close(): Promise<void>;
}

export interface CodeToolsOptions {
  /** The sandboxes that may be used; all by default, `["none"]` for checking syntax only. */
  allow?: readonly DriverName[];
  /** Jobs that run at a time in the sandbox; one by default. */
  concurrency?: number;
  log: Logger;
  signal: AbortSignal;
}

/** Finds the interpreters and a sandbox that withstands its self-test. */
export async function openCodeTools(options: CodeToolsOptions): Promise<CodeTools> {
  const interpreter = await findPython(options.signal);
  const driver = await selectDriver(options);
  const python = interpreter === null ? null : new PythonHelper(interpreter);
  return {
    driver,
    python,
    checkSyntax: createSyntaxChecker(python),
    async close() {
      await python?.close();
      await driver.close();
    },
  };
}
