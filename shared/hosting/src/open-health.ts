import { ProofroomError } from "@proofroom/contracts";
import type { RunningWorker } from "@proofroom/queue";
import { createHealthServer, type HealthServer } from "@proofroom/telemetry";

export interface HealthOptions {
  /** Where it is to listen, as far as somebody said so: then it is an error if that cannot be had. */
  place: { host?: string | undefined; port?: number | undefined };
  /** Whether it is an error too where nobody said so. */
  required?: boolean;
  workers(): readonly Pick<RunningWorker, "capability" | "health">[];
  /** What else keeps the process from its work; nothing where nothing is said. */
  obstacles?(): readonly string[];
  /** In the text format of Prometheus. */
  metrics(): string | Promise<string>;
  /** Whether the process has been told to end. */
  stopping(): boolean;
  /** Told in a line where it listens, or why it does not. */
  notice(line: string): void;
}

const usualHost = "127.0.0.1";
const usualPort = 9_464;

/** How long a worker that is connected may not have turned before only a new start helps, in milliseconds. */
const stuckMs = 60_000;

function isStuck({ health }: ReturnType<HealthOptions["workers"]>[number]): boolean {
  const { state, silentMs } = health();
  return (state === "starting" || state === "silent") && silentMs > stuckMs;
}

/**
 * Tells of the workers of this process over HTTP: whether they live, whether they take jobs, what they have done.
 * @returns null where the place is taken, nobody chose it, and it is not required
 * @throws ProofroomError conflict where it cannot be had otherwise
 */
export async function openHealth(options: HealthOptions): Promise<HealthServer | null> {
  const { place, workers, notice } = options;
  const { host = usualHost, port = usualPort } = place;
  try {
    const server = await createHealthServer({
      host,
      port,
      faults: () =>
        workers()
          .filter(isStuck)
          .map(({ capability }) => `${capability.name}: its loop does not turn`),
      obstacles() {
        if (options.stopping()) return ["stopping"];
        const idle = workers()
          .map(({ capability, health }) => ({ name: capability.name, state: health().state }))
          .filter(({ state }) => state !== "ready")
          .map(({ name, state }) => `${name}: ${state}`);
        return [...idle, ...(options.obstacles?.() ?? [])];
      },
      metrics: () => options.metrics(),
    });
    notice(`Health and metrics: ${server.url}/livez, /readyz, /metrics`);
    return server;
  } catch (cause) {
    if (options.required !== true && place.host === undefined && place.port === undefined) {
      notice(`No health and metrics: port ${port} is not free. PROOFROOM_HEALTH_PORT chooses another.`);
      return null;
    }
    throw new ProofroomError({
      code: "conflict",
      message: `Health cannot be served at ${host}, port ${port}.`,
      remedy: "Choose another with --health-port, PROOFROOM_HEALTH_PORT or PROOFROOM_HEALTH_HOST.",
      cause,
    });
  }
}
