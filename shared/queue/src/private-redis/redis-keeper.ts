import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { redisAnswers } from "./redis-ping.ts";
import type { RedisPlan } from "./redis-plan.ts";

const STEADY_AFTER_MS = 10_000;
const LONGEST_PAUSE_MS = 1_000;

/** Keeps a planned Redis running: starts it again, from its AOF, whenever it ends before it is stopped. */
export class RedisKeeper {
  readonly #plan: RedisPlan;
  readonly #onStart: (pid: number) => void;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(plan: RedisPlan, onStart: (pid: number) => void) {
    this.#plan = plan;
    this.#onStart = onStart;
  }

  /** @returns whether it serves within the time; false as soon as it ends before. */
  async start(timeoutMs: number): Promise<boolean> {
    this.#spawn();
    let over = false;
    const ended = this.#ended.then(() => {
      over = true;
      return false;
    });
    const deadline = Date.now() + timeoutMs;
    const serves = async () => {
      while (!over && Date.now() < deadline) {
        if (await redisAnswers(this.#plan.url, 1_000)) return true;
        await delay(20);
      }
      return false;
    };
    const started = await Promise.race([ended, serves()]);
    if (started) void this.#keep();
    return started;
  }

  /** Ends it and removes what it ran in. Nothing is saved: the ledger is the truth, the queue is only transport. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#child?.kill("SIGKILL");
    await this.#ended;
    this.#plan.remove();
  }

  async #keep(): Promise<void> {
    let failures = 0;
    for (;;) {
      const since = Date.now();
      await this.#ended;
      failures = Date.now() - since > STEADY_AFTER_MS ? 0 : failures + 1;
      if (failures > 1 && !this.#stopping) await delay(Math.min(LONGEST_PAUSE_MS, 25 * 2 ** failures));
      if (this.#stopping) return;
      try {
        this.#spawn();
      } catch {
        // A full disk or process table: the next round tries again.
      }
    }
  }

  #spawn(): void {
    const child = this.#plan.start();
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once("exit", () => resolve()).once("error", () => resolve());
    });
    if (child.pid !== undefined) this.#onStart(child.pid);
  }
}
