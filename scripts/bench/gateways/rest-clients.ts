import { setTimeout as pause } from "node:timers/promises";
import type { HttpClient } from "./http-client.ts";
import { type Latency, openLatencies } from "./latencies.ts";

export interface RestLoad {
  /** Addresses of the replicas; each request goes to the next. */
  replicas: readonly string[];
  clients: number;
  seconds: number;
  /** How long each client waits after an answer, in milliseconds. */
  thinkMs: number;
  /** How long accepted jobs may take to end once the load is over, in milliseconds. */
  settleMs: number;
}

export interface RestReport {
  latencies: Record<string, Latency>;
  /** How often each thing went wrong. */
  errors: Record<string, number>;
  /** Jobs that the gateway has taken. */
  accepted: number;
  /** Of these, those that had not succeeded in the time after. */
  lost: string[];
  /** How long the load lasted, in seconds. */
  seconds: number;
}

/** Jobs that each client calls for in a run before it makes another. */
const jobsPerRun = 4;

/** Once the load is over, so many jobs are asked for at once, and how often, in milliseconds. */
const settleAtOnce = 8;
const settleEvery = 100;

const newRun = { guideline: "# A run under load\n\nNothing is written for it.\n", start: false };

interface Json {
  run_id?: string;
  job_id?: string;
  status?: string;
}

/**
 * Plays clients, all at once for so many seconds: each makes a run, calls a capability on it, asks for the job until it has
 * ended, looks at the run, and calls again. Afterwards every job that was taken must come to its end.
 * @param now milliseconds of a clock
 */
export async function playRestClients(
  http: HttpClient,
  load: RestLoad,
  now: () => number = () => performance.now(),
): Promise<RestReport> {
  const latencies = openLatencies();
  const errors: Record<string, number> = {};
  const jobs = new Set<string>();
  const ended = new Set<string>();
  let turn = 0;

  function note(what: string): void {
    errors[what] = (errors[what] ?? 0) + 1;
  }

  /** Null where the answer is not the one that was to come. */
  async function ask(
    kind: string,
    expected: number,
    method: "GET" | "POST",
    path: string,
    body?: unknown,
  ): Promise<Json | null> {
    turn += 1;
    const url = `${load.replicas[turn % load.replicas.length]}${path}`;
    const answer = await http.send({ url, method, ...(body === undefined ? {} : { body }) });
    if (answer.status === expected) {
      latencies.add(kind, answer.ms);
      return JSON.parse(answer.text) as Json;
    }
    note(`${kind}: ${answer.status === 0 ? answer.text : answer.status}`);
    return null;
  }

  /** Those that do not hurry do not come all at once either. */
  async function client(nth: number, end: number): Promise<void> {
    const over = () => now() >= end;
    const think = () => (load.thinkMs === 0 ? undefined : pause(load.thinkMs));
    await pause((load.thinkMs * nth) / load.clients);
    while (!over()) {
      const run = (await ask("create a run", 201, "POST", "/v1/runs", newRun))?.run_id;
      for (let n = 0; n < jobsPerRun && run !== undefined && !over(); n += 1) {
        await think();
        const path = `/v1/runs/${run}/capabilities/verify_citations?force=true`;
        const id = (await ask("submit a job", 202, "POST", path, {}))?.job_id;
        if (id === undefined) continue;
        if (jobs.has(id)) note("a job was answered twice");
        jobs.add(id);
        while (!over()) {
          await think();
          const job = await ask("look at a job", 200, "GET", `/v1/jobs/${id}`);
          if (job?.status === "queued" || job?.status === "running") continue;
          if (job?.status === "succeeded") ended.add(id);
          break;
        }
        if (!over()) await ask("look at a run", 200, "GET", `/v1/runs/${run}`);
      }
    }
  }

  /** Asks for the jobs that no client has seen succeed; answers those that do not in time. */
  async function settle(): Promise<string[]> {
    const end = now() + load.settleMs;
    const open = [...jobs].filter((id) => !ended.has(id));
    const lost: string[] = [];
    const queue = open.values();
    const look = async () => {
      for (const id of queue) {
        for (;;) {
          const answer = await http.send({ url: `${load.replicas[0]}/v1/jobs/${id}`, method: "GET" });
          if (answer.status === 200 && (JSON.parse(answer.text) as Json).status === "succeeded") break;
          if (now() > end) {
            lost.push(id);
            break;
          }
          await pause(settleEvery);
        }
      }
    };
    await Promise.all(Array.from({ length: settleAtOnce }, look));
    return lost;
  }

  const start = now();
  const end = start + load.seconds * 1_000;
  await Promise.all(Array.from({ length: load.clients }, (_none, nth) => client(nth, end)));
  const seconds = (now() - start) / 1_000;
  const lost = await settle();
  return { latencies: latencies.summary(), errors, accepted: jobs.size, lost, seconds };
}
