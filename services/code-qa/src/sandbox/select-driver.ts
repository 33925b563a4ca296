import { ProofroomError, toProofroomError } from "@proofroom/contracts";
import type { Logger } from "@proofroom/telemetry";
import { BubblewrapDriver } from "./bubblewrap-driver.ts";
import { LandlockDriver } from "./landlock-driver.ts";
import { NoneDriver } from "./none-driver.ts";
import { QueuedDriver } from "./queued-driver.ts";
import type { SandboxDriver } from "./sandbox-driver.ts";
import { selfTest } from "./self-test.ts";

/** In the order in which they are tried. `none` runs nothing and is always the last. */
const driverNames = ["bubblewrap", "landlock", "none"] as const;
export type DriverName = (typeof driverNames)[number];

interface SelectDriverOptions {
  /** The drivers that may be used; all by default. */
  allow?: readonly DriverName[];
  /** Jobs that run at a time; one by default, so that jobs do not disturb each other's clocks. */
  concurrency?: number;
  /** The drivers to choose from instead of the built-in ones. */
  drivers?: readonly SandboxDriver[];
  log: Logger;
  signal: AbortSignal;
}

/**
 * The first allowed driver that works on this machine and withstands the self-test. Where none does, one that runs
 * nothing: a bare process is never a substitute. The caller closes the driver.
 *
 * @throws ProofroomError `cancelled`
 */
export async function selectDriver(options: SelectDriverOptions): Promise<SandboxDriver> {
  const { allow = driverNames, log, signal } = options;
  const candidates = options.drivers ?? [new BubblewrapDriver(), new LandlockDriver()];
  for (const driver of candidates) {
    if (options.drivers === undefined && !allow.includes(driver.name as DriverName)) continue;
    const reason = await refusal(driver, signal);
    if (reason === null) {
      log.info({ sandbox: driver.name }, "sandbox ready");
      return new QueuedDriver(driver, options.concurrency ?? 1);
    }
    log.warn({ sandbox: driver.name, reason }, "sandbox refused");
    await driver.close();
  }
  return new NoneDriver();
}

/** Why a driver cannot be trusted, or null. Any doubt is a reason. */
async function refusal(driver: SandboxDriver, signal: AbortSignal): Promise<string | null> {
  try {
    const probe = await driver.probe(signal);
    if (!probe.ok) return probe.reason;
    const reached = await selfTest(driver, signal);
    return reached.length === 0 ? null : `did not hold: ${reached.join(", ")}`;
  } catch (error) {
    const failure = toProofroomError(error);
    if (signal.aborted) {
      throw new ProofroomError({ code: "cancelled", message: "The work was cancelled.", cause: error });
    }
    return failure.message;
  }
}
