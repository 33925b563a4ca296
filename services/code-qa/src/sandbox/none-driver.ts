import { ProofroomError } from "@proofroom/contracts";
import type { SandboxDriver, SandboxOutcome, SandboxProbe } from "./sandbox-driver.ts";

/** Stands where no sandbox does. It runs nothing: code is then checked for syntax and labelled as not run. */
export class NoneDriver implements SandboxDriver {
  readonly name = "none";
  readonly subprocesses = false;

  async probe(): Promise<SandboxProbe> {
    return { ok: true, reason: "runs nothing" };
  }

  async run(): Promise<SandboxOutcome> {
    throw new ProofroomError({
      code: "sandbox_unavailable",
      message: "There is no sandbox on this machine, so no code is run.",
      remedy: "Install bubblewrap and allow unprivileged user namespaces.",
    });
  }

  async close(): Promise<void> {}
}
