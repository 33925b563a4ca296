import type { SandboxDriver, SandboxJob, SandboxOutcome, SandboxProbe } from "./sandbox-driver.ts";
import { throwIfCancelled } from "./watched-process.ts";

/** A driver that runs at most a given number of jobs at a time, first come, first served. */
export class QueuedDriver implements SandboxDriver {
  readonly name: string;
  readonly subprocesses: boolean;
  readonly #driver: SandboxDriver;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(driver: SandboxDriver, concurrency: number) {
    this.name = driver.name;
    this.subprocesses = driver.subprocesses;
    this.#driver = driver;
    this.#free = concurrency;
  }

  probe(signal: AbortSignal): Promise<SandboxProbe> {
    return this.#driver.probe(signal);
  }

  async run(job: SandboxJob): Promise<SandboxOutcome> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      throwIfCancelled(job.signal);
      return await this.#driver.run(job);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  close(): Promise<void> {
    return this.#driver.close();
  }
}
