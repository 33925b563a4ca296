import { setTimeout as pause } from "node:timers/promises";
import type { ChaosWorkers } from "./chaos-workers.ts";
import { between } from "./random.ts";

export interface NemesisOptions {
  workers: ChaosWorkers;
  redis: { kill(): Promise<void>; restart(): Promise<void>; flush(): Promise<void> };
  random(): number;
  /** How many faults; at least one of each kind. */
  faults: number;
  /** How long a frozen worker stays so, in milliseconds: longer than its lock. */
  freezeMs: number;
  /** Resolves when this part of all the work is done. */
  reached(part: number): Promise<void>;
}

type Fault = "kill" | "freeze" | "outage" | "flush";

/** One of each kind, then more, in an order of the seed's; Redis forgets everything once. */
function planFaults(random: () => number, count: number): Fault[] {
  const faults: Fault[] = ["kill", "freeze", "outage", "flush"];
  while (faults.length < count)
    faults.push((["kill", "kill", "freeze", "outage"] as const)[between(random, 0, 3)] ?? "kill");
  return faults
    .map((fault) => ({ fault, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ fault }) => fault);
}

/** Works against the runs, spread evenly over their work. Answers what it did. */
export async function torment(options: NemesisOptions): Promise<Fault[]> {
  const { workers, redis, random } = options;
  const faults = planFaults(random, options.faults);
  for (const [index, fault] of faults.entries()) {
    await options.reached((0.9 * (index + 0.5)) / faults.length);
    const victim = between(random, 0, workers.size - 1);
    if (fault === "kill") await workers.kill(victim);
    if (fault === "flush") await redis.flush();
    if (fault === "freeze") {
      workers.freeze(victim);
      await pause(options.freezeMs);
      workers.thaw(victim);
    }
    if (fault === "outage") {
      await redis.kill();
      await pause(between(random, 0, 1_500));
      await redis.restart();
    }
  }
  return faults;
}
