import type { HttpClient } from "./http-client.ts";
import { type Latency, openLatencies } from "./latencies.ts";
import { callTool, type Era, initialize, type McpAnswer } from "./mcp-client.ts";

/** Calls one after the other on several lanes, or sessions that poll for so many seconds. */
export type McpLoad = { url: string; jobs: readonly JobOfRun[] } & (
  | { kind: "calls"; calls: number; lanes: number }
  | { kind: "sessions"; sessions: number; seconds: number }
);

/** A finished job of a run. */
export interface JobOfRun {
  runId: string;
  jobId: string;
}

export interface McpReport {
  latencies: Record<string, Latency>;
  /** How often each thing went wrong. */
  errors: Record<string, number>;
  seconds: number;
}

interface Call {
  kind: string;
  name: string;
  args: Record<string, unknown>;
  progress?: boolean;
}

/** Ten calls as an agent makes them: most look, some find what stands, one starts work and watches it. */
function mix({ runId: run_id, jobId: job_id }: JobOfRun): readonly Call[] {
  const look: Call = { kind: "job_get", name: "job_get", args: { job_id } };
  const stands: Call = { kind: "a result that stands", name: "verify_citations", args: { run_id } };
  const run: Call = { kind: "get_run", name: "get_run", args: { run_id } };
  return [
    look,
    run,
    stands,
    look,
    { kind: "read_artifact", name: "read_artifact", args: { run_id, artifact: "article_guideline.md" } },
    { kind: "job_wait", name: "job_wait", args: { job_id } },
    look,
    run,
    stands,
    {
      kind: "a job to its end, with progress",
      name: "verify_citations",
      args: { run_id, force: true },
      progress: true,
    },
  ];
}

const eras = ["legacy", "modern"] as const satisfies readonly Era[];

/** Plays MCP clients, those of both eras in equal numbers. */
export async function playMcpClients(http: HttpClient, load: McpLoad): Promise<McpReport> {
  const { url, jobs } = load;
  const latencies = openLatencies();
  const errors: Record<string, number> = {};

  function note(kind: string, { ms, result, error }: McpAnswer): void {
    // Every answer of these says what became of a job or a run; one that does not is wrong.
    const wrong = result === null ? error : result.structuredContent === undefined ? "no content" : undefined;
    if (wrong === undefined) latencies.add(kind, ms);
    else errors[`${kind}: ${wrong}`] = (errors[`${kind}: ${wrong}`] ?? 0) + 1;
  }

  async function callNth(nth: number): Promise<void> {
    const job = jobs[nth % jobs.length];
    if (job === undefined) throw new Error("there are no jobs to ask for");
    const calls = mix(job);
    const round = Math.floor(nth / calls.length);
    const { kind, name, args, progress } = calls[nth % calls.length] as Call;
    const era = eras[round % eras.length] as Era;
    note(kind, await callTool(http, url, era, name, args, progress === true ? { token: `call ${nth}` } : {}));
  }

  async function session(nth: number, end: number): Promise<void> {
    const job = jobs[nth % jobs.length];
    const era = eras[nth % eras.length] as Era;
    if (era === "legacy") {
      const { ms, result, error } = await initialize(http, url);
      if (result === null) errors[`initialize: ${error}`] = (errors[`initialize: ${error}`] ?? 0) + 1;
      else latencies.add("initialize", ms);
    }
    while (performance.now() < end) {
      note("job_get", await callTool(http, url, era, "job_get", { job_id: job?.jobId }));
    }
  }

  const start = performance.now();
  if (load.kind === "calls") {
    const numbers = Array.from({ length: load.calls }, (_none, nth) => nth).values();
    const lane = async () => {
      for (const nth of numbers) await callNth(nth);
    };
    await Promise.all(Array.from({ length: load.lanes }, lane));
  } else {
    const end = start + load.seconds * 1_000;
    await Promise.all(Array.from({ length: load.sessions }, (_none, nth) => session(nth, end)));
  }
  return { latencies: latencies.summary(), errors, seconds: (performance.now() - start) / 1_000 };
}
