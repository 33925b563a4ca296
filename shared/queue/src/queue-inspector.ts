import { type Capability, catalog } from "@proofroom/contracts";
import type { ChainableCommander, Redis } from "ioredis";
import { keyPrefix } from "./connection.ts";
import { reaching } from "./reaching.ts";
import { openScript } from "./script.ts";

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
  /**
   * How long ago the oldest of the jobs that wait, for a worker, a turn or a time, was submitted, in seconds; 0 where none
   * does. Where more than 10,000 wait alike, it is the oldest of the 10,000 that are next.
   */
  oldestSeconds: number;
  /** Connected workers; null where the server does not tell (some managed ones do not list their clients). */
  workers: number | null;
}

export interface QueueInspector {
  /**
   * How every queue stands, in two round trips whatever their number, and one more for each further thousand jobs that wait
   * in the fullest.
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

/** Where a job waits that nobody works at and that has not ended. */
const unstarted = ["waiting", "prioritized", "delayed"] as const satisfies (keyof JobCounts)[];

/** At how many jobs one call of the script looks, for a millisecond or so of the server's time; and at how many of a state. */
const lookedAtOnce = 1_000;
const lookedAt = 10_000;

/**
 * When the oldest of some jobs was submitted; false where none of them is there. KEYS: where they wait, their queue.
 * ARGV: `list` or `set`, the first place in line, and the first behind. A list is taken from its end.
 */
const oldestScript = `
local from, to = tonumber(ARGV[2]), tonumber(ARGV[3])
local ids = ARGV[1] == 'list' and redis.call('LRANGE', KEYS[1], -to, -from - 1)
  or redis.call('ZRANGE', KEYS[1], from, to - 1)
local oldest = false
for _, id in ipairs(ids) do
  local at = tonumber(redis.call('HGET', KEYS[2] .. ':' .. id, 'timestamp') or '')
  if at and (not oldest or at < oldest) then oldest = at end
end
return oldest
`;

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

  const oldest = openScript(connection, oldestScript);

  async function counts(): Promise<{ queue: string; jobs: JobCounts }[]> {
    const asked = connection.pipeline();
    for (const queue of queues) {
      for (const state of states) {
        const [part, kind] = keptAs[state];
        if (kind === "list") asked.llen(keyOf(queue, part));
        else asked.zcard(keyOf(queue, part));
      }
    }
    const all = await answers(asked);
    return queues.map((queue, at) => {
      const own = all.slice(at * states.length, (at + 1) * states.length);
      const jobs = Object.fromEntries(states.map((state, n) => [state, Number(own[n])]));
      return { queue, jobs: jobs as unknown as JobCounts };
    });
  }

  async function submittedAt(queue: string, jobs: JobCounts): Promise<number> {
    const found = await Promise.all(
      unstarted.map(async (state) => {
        const [part, kind] = keptAs[state];
        const keys = [keyOf(queue, part), `${keyPrefix}:${queue}`];
        const stamps: number[] = [];
        // One after the other: in between the server has time for others.
        for (let from = 0; from < Math.min(jobs[state], lookedAt); from += lookedAtOnce) {
          const stamp = await oldest(keys, [kind, from, from + lookedAtOnce]);
          if (stamp !== null) stamps.push(Number(stamp));
        }
        return stamps;
      }),
    );
    return Math.min(...found.flat());
  }

  return {
    inspect: () =>
      reaching(connection, async () => {
        const [jobs, clients] = await Promise.all([
          counts(),
          connection.client("LIST").then(String, () => null),
        ]);
        const submitted = await Promise.all(
          jobs.map(({ queue, jobs: counted }) => submittedAt(queue, counted)),
        );
        const workers = clients === null ? null : countWorkers(clients);
        const now = Date.now();
        return jobs.map(({ queue, jobs: counted }, at) => {
          const waits = (now - (submitted[at] ?? Number.NaN)) / 1_000;
          return {
            queue,
            jobs: counted,
            // Clocks differ, and where none waits there is no time to tell.
            oldestSeconds: Number.isFinite(waits) ? Math.max(waits, 0) : 0,
            workers: workers === null ? null : (workers.get(queue) ?? 0),
          };
        });
      }),
  };
}
