import { fileURLToPath } from "node:url";
import { inGatewayPlace } from "./gateways/gateway-place.ts";
import { errorsRow, latencyRow, rateRow, requestsOf } from "./gateways/load-rows.ts";
import type { RestLoad, RestReport } from "./gateways/rest-clients.ts";
import { runClients } from "./gateways/run-clients.ts";
import { watchPrograms } from "./gateways/watch-programs.ts";
import type { Measure } from "./measurement.ts";

const clientsMain = fileURLToPath(new URL("./gateways/rest-clients-main.ts", import.meta.url));

const clients = 200;

/** How long a client that does not hurry waits after each answer, in milliseconds. */
const thinkMs = 1_000;

/** Accepted jobs may take so long to end once the load is over, in milliseconds. */
const settleMs = 120_000;

/** How far apart the slow submissions may be from the usual ones. */
const spread = 10;

/**
 * Two replicas of the REST gateway on one Redis and one folder, with workers that finish jobs of nothing, and clients that submit
 * jobs and ask for them: as fast as they are answered, then with a pause after each answer.
 */
export const measureRestLoad: Measure = ({ root, signal, seconds }) =>
  inGatewayPlace({ root, signal }, async (place) => {
    const replicas = [await place.startRest(), await place.startRest()] as const;
    await place.startWorkers();
    const play = (load: Pick<RestLoad, "seconds" | "thinkMs">) =>
      runClients<RestReport>(
        clientsMain,
        { ...load, clients, settleMs, replicas: replicas.map(({ url }) => url) } satisfies RestLoad,
        signal,
      );
    // Code is compiled and pools are filled before anything counts.
    await play({ seconds: Math.min(seconds / 4, 3), thinkMs: 0 });
    const before = await replicas[0].collect();
    const watch = watchPrograms(replicas, place.redis);
    const worked = async () => (await replicas[0].look()).cpuSeconds + (await replicas[1].look()).cpuSeconds;
    const idle = await worked();
    const hurried = await play({ seconds, thinkMs: 0 });
    const cpuSeconds = (await worked()) - idle;
    const unhurried = await play({ seconds, thinkMs });
    const most = await watch.end();
    const after = await replicas[0].collect();
    return [
      ...rowsOf(hurried, `${clients} clients at full speed`),
      {
        what: "processor time of a request at full speed",
        value: (cpuSeconds * 1_000) / requestsOf(hurried.latencies),
        unit: "ms",
      },
      ...rowsOf(unhurried, `${clients} clients, a second after each answer`),
      {
        what: "live heap of a replica after both",
        value: after.heapMb,
        unit: "MB",
        base: { what: "before", value: before.heapMb },
      },
      {
        what: "resident memory of a replica after both",
        value: after.residentMb,
        unit: "MB",
        base: { what: "before", value: before.residentMb },
      },
      { what: "files open in a replica, most", value: most.openFiles, unit: "files" },
      { what: "connections to Redis, most", value: most.redisConnections, unit: "connections" },
    ];
  });

function rowsOf({ latencies, errors, accepted, lost, seconds }: RestReport, of: string) {
  const submission = latencies["submit a job"];
  return [
    rateRow(of, latencies, seconds),
    ...Object.entries(latencies).map(([kind, latency]) => latencyRow(kind, latency)),
    ...(submission === undefined
      ? []
      : [
          {
            what: "submit a job, 99 % over the median",
            value: submission.p99 / submission.p50,
            unit: "×",
            target: { below: spread },
          },
        ]),
    errorsRow(errors),
    {
      what: "jobs accepted and lost",
      value: lost.length,
      unit: "jobs",
      target: { atMost: 0 },
      detail: `of ${accepted}`,
    },
  ];
}
