import { join } from "node:path";
import { runCommand } from "../../shared/queue/src/private-redis/run-command.ts";
import { type Check, type CheckContext, oneResult } from "./check.ts";

const TOOL_TIMEOUT_MS = 300_000;

/** Runs a program that npm installed, under this very Node, in the checkout. */
export function runTool(script: string, args: readonly string[], { root, signal }: CheckContext, cwd = root) {
  const command = [join(root, "node_modules", script), ...args];
  return runCommand(process.execPath, command, { timeoutMs: TOOL_TIMEOUT_MS, signal, cwd });
}

/** A check that passes where a program ends with exit code 0. */
export function toolCheck(name: string, script: string, args: readonly string[]): Check {
  return {
    name,
    async run(context) {
      const { exitCode, stdout, stderr } = await runTool(script, args, context);
      return oneResult(exitCode === 0, stdout + stderr);
    },
  };
}
