import { join } from "node:path";

/** The arguments for Node that run the `proofroom` command in the process itself, without the launcher that looks after npm. */
export function proofroom(root: string, ...args: readonly string[]): string[] {
  return [join(root, "services/cli/src/main.ts"), ...args];
}
