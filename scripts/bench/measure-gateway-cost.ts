import { createFsStore } from "../../shared/artifacts/src/index.ts";
import { verifyCitations } from "../../shared/contracts/src/index.ts";
import { connect, createProducer, disconnect, type StepJob } from "../../shared/queue/src/index.ts";
import { createQueuePool } from "../../shared/queue/src/queue-pool.ts";
import { silentLogger } from "../../shared/telemetry/src/index.ts";
import { inGatewayPlace } from "./gateways/gateway-place.ts";
import { type HttpClient, openHttpClient } from "./gateways/http-client.ts";
import { callTool } from "./gateways/mcp-client.ts";
import type { Measure } from "./measurement.ts";
import { alternate, elapsedMs } from "./rounds.ts";
import { median, pairedRatio } from "./statistics.ts";

/** Rounds in a second of the time that is given, and before them: code is compiled as it is used. */
const roundsPerSecond = 1.5;
const warmUp = 150;

/** Submissions in a row within a round: one alone would find every cache cold. */
const inRow = 10;

const record = "x".repeat(200);

/** What a gateway may take beyond what the queue takes, in milliseconds. */
const allowance = 3;

/**
 * What submitting a job through a gateway takes until the client has its answer, each time the first job of a run; no worker takes
 * jobs meanwhile. The base is `Queue.add` of BullMQ in the bench's own process.
 */
export const measureGatewayCost: Measure = ({ root, signal, seconds }) =>
  inGatewayPlace({ root, signal }, async (place) => {
    const rest = await place.startRest();
    const mcp = await place.startMcp();
    const http = openHttpClient();
    const connection = connect({ url: place.redis.url, role: "producer", log: silentLogger() });
    const pool = createQueuePool(connection);
    const producer = createProducer(connection);
    const bare = pool.of({ ...verifyCitations, name: "bare" });
    const store = createFsStore({ root: place.root });
    let nth = 0;
    const nextJob = (): StepJob => {
      nth += 1;
      const run_id = `run_${String(nth).padStart(26, "0")}`;
      const { name } = verifyCitations;
      return { v: 1, run_id, capability: name, step_id: name, generation: 1, input: { round: 0 } };
    };
    /** The median of several in a row; what each needs is made before the first. */
    async function several<Given>(prepare: () => Promise<Given>, submit: (given: Given) => Promise<number>) {
      const given: Given[] = [];
      while (given.length < inRow) given.push(await prepare());
      const times: number[] = [];
      for (const one of given) times.push(await submit(one));
      return median(times);
    }
    const run = () => newRun(http, rest.url);
    const job = async () => nextJob();
    try {
      const times = await alternate(
        {
          bare: () => several(job, (one) => elapsedMs(() => bare.add("bare", one))),
          producer: () => several(job, (one) => elapsedMs(() => producer.submit(verifyCitations, one))),
          rest: () => several(run, (id) => submitByRest(http, rest.url, id)),
          mcp: () => several(run, (id) => submitByMcp(http, mcp.url, id)),
          // What a job that is told of at once has to be written down for.
          record: () =>
            several(job, ({ run_id }) => elapsedMs(() => store.create(`bench/${run_id}`, record))),
          // What speaking HTTP costs alone.
          health: () =>
            several(
              async () => ({ url: `${rest.url}/healthz`, method: "GET" }) as const,
              async (request) => (await http.send(request)).ms,
            ),
        },
        { rounds: Math.ceil(seconds * roundsPerSecond), warmUp, signal },
      );
      const base = { what: "Queue.add of BullMQ", value: median(times.bare) };
      const row = (what: string, of: Exclude<keyof typeof times, "bare">) => ({
        what,
        value: median(times[of]),
        unit: "ms",
        base,
        ratio: pairedRatio(times[of], times.bare),
      });
      const beyond = (what: string, of: "rest" | "mcp") => ({
        what,
        value: median(times[of].map((time, round) => time - (times.bare[round] ?? Number.NaN))),
        unit: "ms",
        target: { below: allowance },
      });
      return [
        row("a job through the REST gateway", "rest"),
        beyond("of it not the queue's", "rest"),
        row("a task through the MCP gateway", "mcp"),
        beyond("of it not the queue's", "mcp"),
        row("a job through the producer that both use", "producer"),
        row("a record of 200 bytes in the store", "record"),
        row("an empty answer of the REST gateway", "health"),
      ];
    } finally {
      http.close();
      await producer.close();
      await pool.close();
      await disconnect(connection);
    }
  });

async function newRun(http: HttpClient, url: string): Promise<string> {
  const body = { guideline: "# A run\n", start: false };
  const { status, text } = await http.send({ url: `${url}/v1/runs`, method: "POST", body });
  if (status !== 201) throw new Error(`a run could not be made: ${status} ${text}`);
  return String(JSON.parse(text).run_id);
}

async function submitByRest(http: HttpClient, url: string, runId: string): Promise<number> {
  const path = `/v1/runs/${runId}/capabilities/${verifyCitations.name}`;
  const { status, text, ms } = await http.send({ url: url + path, method: "POST", body: {} });
  if (status !== 202) throw new Error(`a job was not taken: ${status} ${text}`);
  return ms;
}

async function submitByMcp(http: HttpClient, url: string, runId: string): Promise<number> {
  const { result, error, ms } = await callTool(
    http,
    url,
    "modern",
    verifyCitations.name,
    { run_id: runId },
    { tasks: true },
  );
  if (result?.taskId === undefined) throw new Error(`no task was answered: ${error}`);
  return ms;
}
