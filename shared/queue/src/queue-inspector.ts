import { type Capability, catalog } from "@proofroom/contracts";
import type { ChainableCommander, Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";
import { reaching } from "./reaching.ts";

/** Jobs of one queue, by where they are. */
export interface JobCounts {
  waiting: number;
  prioritized: number;
  active: number;
  delayed: number;
  failed: number;
  "waiting-children": number;
}

export interface QueueState {
  queue: string;
  jobs: JobCounts;
  /** How long ago the job that is next in line was submitted, in seconds; 0 where none waits. */
  oldestSeconds: number;
  /** Connected workers; null where the server does not tell (some managed ones do not list their clients). */
  workers: number | null;
}

export interface QueueInspector {
  /**
   * How every queue stands, in two round trips whatever their number.
   * @throws ProofroomError dependency_down when Redis is away
   */
  inspect(): Promise<QueueState[]>;
}

/** How BullMQ keeps the jobs of each state. */
const keptAs = {
  waiting: ["wait", "list"],
  prioritized: ["prioritized", "set"],
  active: ["active", "list"],
  delayed: ["delayed", "set"],
  failed: ["failed", "set"],
  "waiting-children": ["waiting-children", "set"],
} as const satisfies Record<keyof JobCounts, readonly [key: string, kind: "list" | "set"]>;

const states = Object.keys(keptAs) as (keyof JobCounts)[];

function nextOf([waiting, prioritized]: unknown[]): string | null {
  const [first = null] = prioritized as string[];
  return (waiting as string | null) ?? first;
}

function keyOf(queue: string, part: string): string {
  return `${keyPrefix}:${queue}:${part}`;
}

/** @throws the first error among the answers */
async function answers(asked: ChainableCommander): Promise<unknown[]> {
  return ((await asked.exec()) ?? []).map(([error, answer]) => {
    if (error !== null) throw error;
    return answer;
  });
}

/** Connected workers by queue: BullMQ names the connection on which each waits, `PREFIX:BASE64` or `PREFIX:BASE64:w:NAME`. */
function countWorkers(clients: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, name = ""] of clients.matchAll(/ name=(\S+)/g)) {
    if (!name.startsWith(`${keyPrefix}:`)) continue;
    const [encoded = "", kind = "w"] = name.slice(keyPrefix.length + 1).split(":");
    if (kind !== "w") continue;
    const queue = Buffer.from(encoded, "base64").toString();
    counts.set(queue, (counts.get(queue) ?? 0) + 1);
  }
  return counts;
}

/**
 * Looks at queues over the connection given, which stays the caller's.
 * @param capabilities whose queues; all by default
 */
export function createQueueInspector(
  connection: Redis,
  capabilities: readonly Capability[] = catalog,
): QueueInspector {
  const queues = capabilities.map(({ name }) => name);

  async function counts(): Promise<{ queue: string; jobs: JobCounts; next: string | null }[]> {
    const asked = connection.pipeline();
    for (const queue of queues) {
      for (const state of states) {
        const [part, kind] = keptAs[state];
        if (kind === "list") asked.llen(keyOf(queue, part));
        else asked.zcard(keyOf(queue, part));
      }
      asked.lindex(keyOf(queue, keptAs.waiting[0]), -1);
      asked.zrange(keyOf(queue, keptAs.prioritized[0]), "0", "0");
    }
    const all = await answers(asked);
    const width = states.length + 2;
    return queues.map((queue, at) => {
      const own = all.slice(at * width, (at + 1) * width);
      const jobs = Object.fromEntries(states.map((state, n) => [state, Number(own[n])]));
      return { queue, jobs: jobs as unknown as JobCounts, next: nextOf(own.slice(-2)) };
    });
  }

  async function submittedAt(
    jobs: readonly { queue: string; next: string | null }[],
  ): Promise<Map<string, number>> {
    const waiting = jobs.filter(({ next }) => next !== null);
    if (waiting.length === 0) return new Map();
    const asked = connection.pipeline();
    for (const { queue, next } of waiting) asked.hget(keyOf(queue, next ?? ""), "timestamp");
    const stamps = await answers(asked);
    return new Map(waiting.map(({ queue }, at) => [queue, Number(stamps[at] ?? Number.NaN)]));
  }

  return {
    inspect: () =>
      reaching(connection, async () => {
        const [jobs, clients] = await Promise.all([
          counts(),
          connection.client("LIST").then(String, () => null),
        ]);
        const submitted = await submittedAt(jobs);
        const workers = clients === null ? null : countWorkers(clients);
        const now = Date.now();
        return jobs.map(({ queue, jobs: counted }) => {
          const waits = (now - (submitted.get(queue) ?? Number.NaN)) / 1_000;
          return {
            queue,
            jobs: counted,
            // Clocks differ, and a job may have been taken in between.
            oldestSeconds: Number.isFinite(waits) ? Math.max(waits, 0) : 0,
            workers: workers === null ? null : (workers.get(queue) ?? 0),
          };
        });
      }),
  };
}
