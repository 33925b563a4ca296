import type { ObjectStore } from "@proofroom/artifacts";
import { ProofroomError, runIdSchema } from "@proofroom/contracts";
import type { Logger, Tracing } from "@proofroom/telemetry";
import type { ExitCode } from "../output/failure.ts";
import type { Terminal } from "../output/terminal.ts";
import type { Settings } from "../settings.ts";

/** What every command gets. */
export interface CommandContext {
  /** Read from the environment when first asked for. @throws ProofroomError invalid_input */
  readonly settings: Settings;
  terminal: Terminal;
  /** @throws ProofroomError invalid_input */
  readonly log: Logger;
  /** Aborts when the user interrupts. */
  signal: AbortSignal;
  /** Opened when it is first asked for; closed by `main.ts`. */
  store(): Promise<ObjectStore>;
  /** The same. */
  tracing(): Promise<Tracing>;
  /** A command as the user types it, by how they started this one: `resume RUN` with what stands before that. */
  typed(command: string): string;
}

/** Runs a command with the context that its flags ask for. */
export type RunCommand = (
  flags: { json?: boolean; events?: boolean; record?: string },
  command: (context: CommandContext) => Promise<ExitCode>,
) => Promise<void>;

/** @throws ProofroomError invalid_input */
export function parseRunId({ typed }: Pick<CommandContext, "typed">, text: string): string {
  const parsed = runIdSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new ProofroomError({
    code: "invalid_input",
    message: `"${text}" is not a run id.`,
    remedy: `A run id looks like run_01J8…; ${typed("list")} shows them.`,
  });
}
