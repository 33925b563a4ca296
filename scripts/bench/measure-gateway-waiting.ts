import { setTimeout as pause } from "node:timers/promises";
import { type GatewayPlace, inGatewayPlace } from "./gateways/gateway-place.ts";
import { openHttpClient } from "./gateways/http-client.ts";
import { callTool } from "./gateways/mcp-client.ts";
import type { Program } from "./gateways/start-program.ts";
import { watchPrograms } from "./gateways/watch-programs.ts";
import type { Measure } from "./measurement.ts";
import { median } from "./statistics.ts";

const clients = 200;

/** What waits takes so long to begin, and to be let go of, in milliseconds. */
const settleMs = 1_000;

/** Answers that do not wait, asked for meanwhile. */
const probes = 40;

/** Below the longest wait that the gateways offer, in seconds. */
const longest = 20;

type Http = ReturnType<typeof openHttpClient>;

/** A job that no worker takes. */
interface Pending {
  run_id: string;
  job_id: string;
}

/**
 * What it costs a gateway that clients wait for jobs that do not end: by long polls, by event streams, and by tool calls that
 * tell progress; how fast others are answered meanwhile, and what is left of it once the clients are gone.
 */
export const measureGatewayWaiting: Measure = ({ root, signal, seconds }) =>
  inGatewayPlace({ root, signal }, async (place) => {
    const rest = await place.startRest();
    const mcp = await place.startMcp();
    const pending = await submitPending(rest.url);
    const span = Math.min(seconds / 3, longest);
    const hold = (what: string, program: Program, wait: (http: Http, nth: number) => Promise<unknown>) =>
      rowsOfWait({ what, program, place, span, signal, wait });
    return [
      ...(await hold(`${clients} long polls`, rest, (http, nth) =>
        http.send({ url: `${rest.url}/v1/jobs/${pending[nth]?.job_id}?wait=25`, method: "GET" }),
      )),
      ...(await hold(`${clients} event streams`, rest, (http, nth) =>
        http.send({ url: `${rest.url}/v1/runs/${pending[nth]?.run_id}/events`, method: "GET" }),
      )),
      ...(await hold(`${clients} tool calls with progress`, mcp, (http, nth) => {
        const args = { run_id: pending[nth]?.run_id };
        return callTool(http, mcp.url, "modern", "verify_citations", args, { token: `call ${nth}` });
      })),
    ];
  });

async function submitPending(url: string): Promise<Pending[]> {
  const http = openHttpClient();
  try {
    const pending: Pending[] = [];
    while (pending.length < clients) {
      const run = await http.send({
        url: `${url}/v1/runs`,
        method: "POST",
        body: { guideline: "# A run\n", start: false },
      });
      const { run_id } = JSON.parse(run.text) as Pending;
      const path = `/v1/runs/${run_id}/capabilities/verify_citations`;
      const job = await http.send({ url: url + path, method: "POST", body: {} });
      if (job.status !== 202) throw new Error(`a job was not taken: ${job.status} ${job.text}`);
      pending.push(JSON.parse(job.text) as Pending);
    }
    return pending;
  } finally {
    http.close();
  }
}

interface Wait {
  what: string;
  program: Program;
  place: GatewayPlace;
  /** How long is measured, in seconds. */
  span: number;
  signal: AbortSignal;
  wait(http: Http, nth: number): Promise<unknown>;
}

async function rowsOfWait({ what, program, place, span, signal, wait }: Wait) {
  const waiting = openHttpClient();
  const asking = openHttpClient();
  let ended = 0;
  try {
    const before = await watchPrograms([program], place.redis).end();
    const watch = watchPrograms([program], place.redis);
    const waits = Array.from({ length: clients }, (_none, nth) =>
      wait(waiting, nth).then(() => (ended += 1)),
    );
    await pause(settleMs, undefined, { signal });
    const first = await program.look();
    const start = performance.now();
    const times: number[] = [];
    const health = new URL("/healthz", program.url).href;
    for (let probe = 0; probe < probes; probe += 1) {
      times.push((await asking.send({ url: health, method: "GET" })).ms);
      await pause((span * 1_000) / probes, undefined, { signal });
    }
    const last = await program.look();
    const share = (last.cpuSeconds - first.cpuSeconds) / ((performance.now() - start) / 1_000);
    const most = await watch.end();
    if (ended > 0) throw new Error(`${ended} of ${what} did not wait`);
    waiting.close();
    await Promise.all(waits);
    await pause(settleMs, undefined, { signal });
    const after = await watchPrograms([program], place.redis).end();
    return [
      { what: `${what}, of one processor`, value: share * 100, unit: "%" },
      { what: "an empty answer meanwhile, median", value: median(times), unit: "ms" },
      {
        what: "connections to Redis",
        value: most.redisConnections,
        unit: "connections",
        base: { what: "before", value: before.redisConnections },
      },
      {
        what: "files open",
        value: most.openFiles,
        unit: "files",
        base: { what: "before", value: before.openFiles },
      },
      {
        what: "resident memory",
        value: last.residentMb,
        unit: "MB",
        base: { what: "at first", value: first.residentMb },
      },
      {
        what: "connections to Redis left once they are gone",
        value: after.redisConnections - before.redisConnections,
        unit: "connections",
        target: { atMost: 0 },
      },
    ];
  } finally {
    waiting.close();
    asking.close();
  }
}
