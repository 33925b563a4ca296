import { fileURLToPath } from "node:url";
import { inGatewayPlace } from "./gateways/gateway-place.ts";
import { openHttpClient } from "./gateways/http-client.ts";
import { errorsRow, latencyRow, rateRow } from "./gateways/load-rows.ts";
import { callTool } from "./gateways/mcp-client.ts";
import type { JobOfRun, McpLoad, McpReport } from "./gateways/mcp-clients.ts";
import { runClients } from "./gateways/run-clients.ts";
import { watchPrograms } from "./gateways/watch-programs.ts";
import type { Measure } from "./measurement.ts";

const clientsMain = fileURLToPath(new URL("./gateways/mcp-clients-main.ts", import.meta.url));

/** Calls in a minute of load, and how many of them may pass before the heap has its size. */
const callsOfMinute = 5_000;
const warmShare = 1 / 5;

const lanes = 10;
const sessions = 200;
const runs = 50;

/** What the heap may gain after the first calls, in MB. */
const growth = 10;

/**
 * One process of the MCP gateway: calls by clients of both eras, among them jobs that are watched to their end, and what its heap
 * gains by them; then sessions that ask for a job as fast as they are answered.
 */
export const measureMcpLoad: Measure = ({ root, signal, seconds }) =>
  inGatewayPlace({ root, signal }, async (place) => {
    const gateway = await place.startMcp();
    await place.startWorkers();
    const jobs = await finishJobs(gateway.url);
    const play = (load: McpLoad) => runClients<McpReport>(clientsMain, load, signal);
    const calls = Math.round((callsOfMinute * seconds) / 60);
    const warm = Math.round(calls * warmShare);
    const { url } = gateway;
    const first = await play({ kind: "calls", url, jobs, calls: warm, lanes });
    const before = await gateway.collect();
    const rest = await play({ kind: "calls", url, jobs, calls: calls - warm, lanes });
    const after = await gateway.collect();
    const watch = watchPrograms([gateway], place.redis);
    const polling = await play({ kind: "sessions", url, jobs, sessions, seconds });
    const most = await watch.end();
    const end = await gateway.collect();
    return [
      rateRow(`${calls - warm} calls, ${lanes} at once`, rest.latencies, rest.seconds),
      ...Object.entries(rest.latencies).map(([kind, latency]) => latencyRow(kind, latency)),
      errorsRow(sum(first.errors, rest.errors)),
      {
        what: `live heap gained from call ${warm} to call ${calls}`,
        value: after.heapMb - before.heapMb,
        unit: "MB",
        target: { below: growth },
        detail: `from ${before.heapMb.toFixed(1)} MB`,
      },
      rateRow(`${sessions} sessions at full speed`, polling.latencies, polling.seconds),
      ...Object.entries(polling.latencies).map(([kind, latency]) => latencyRow(kind, latency)),
      errorsRow(polling.errors),
      {
        what: "live heap after the sessions",
        value: end.heapMb,
        unit: "MB",
        base: { what: "before", value: after.heapMb },
      },
      {
        what: "resident memory after the sessions",
        value: end.residentMb,
        unit: "MB",
        base: { what: `at call ${warm}`, value: before.residentMb },
      },
      { what: "files open, most", value: most.openFiles, unit: "files" },
      { what: "connections to Redis, most", value: most.redisConnections, unit: "connections" },
    ];
  });

/** Makes runs with a finished job each. */
async function finishJobs(url: string): Promise<JobOfRun[]> {
  const http = openHttpClient();
  try {
    const jobs: JobOfRun[] = [];
    while (jobs.length < runs) {
      const made = await callTool(http, url, "modern", "create_run", { guideline: "# A run under load\n" });
      const run = made.result?.structuredContent;
      const called = await callTool(http, url, "modern", "verify_citations", { run_id: run?.["run_id"] });
      const job = called.result?.structuredContent;
      if (job?.["status"] !== "succeeded") throw new Error(`a job could not be finished: ${called.error}`);
      jobs.push({ runId: String(job["run_id"]), jobId: String(job["job_id"]) });
    }
    return jobs;
  } finally {
    http.close();
  }
}

function sum(...counts: Readonly<Record<string, number>>[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const [what, count] of counts.flatMap((some) => Object.entries(some)))
    all[what] = (all[what] ?? 0) + count;
  return all;
}
