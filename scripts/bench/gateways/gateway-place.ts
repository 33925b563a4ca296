import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startTestRedis, type TestRedis } from "../../../shared/testing/src/index.ts";
import { inTempHome } from "../temp-home.ts";
import { type Program, startProgram } from "./start-program.ts";

export interface GatewayPlace {
  readonly redis: TestRedis;
  /** The store's folder. */
  readonly root: string;
  startRest(): Promise<Program>;
  startMcp(): Promise<Program>;
  /** Workers whose jobs do nothing. */
  startWorkers(): Promise<Program>;
}

const workersMain = fileURLToPath(new URL("./no-op-worker-main.ts", import.meta.url));
const listens = /"url":"(http:[^"]+)"/;

/**
 * A store in a folder and a Redis for gateways and workers, which are started as the programs that they are. What was started
 * in it ends with the work.
 */
export async function inGatewayPlace<Result>(
  { root: checkout, signal }: { root: string; signal: AbortSignal },
  work: (place: GatewayPlace) => Promise<Result>,
): Promise<Result> {
  return inTempHome(async (home) => {
    const redis = await startTestRedis();
    const programs: Program[] = [];
    const started = async (options: Omit<Parameters<typeof startProgram>[0], "signal">) => {
      const program = await startProgram({ ...options, signal });
      programs.push(program);
      return program;
    };
    const root = join(home, "store");
    const env = { HOME: home, PROOFROOM_HOME: home, PROOFROOM_STORE: `file:${root}`, REDIS_URL: redis.url };
    try {
      return await work({
        redis,
        root,
        startRest: () =>
          started({
            main: join(checkout, "services/gateway-rest/src/main.ts"),
            // All clients share one address: nobody is to be slowed down for what the others do.
            env: { ...env, PROOFROOM_REST_PORT: "0", PROOFROOM_RATE: "10000" },
            ready: listens,
          }),
        startMcp: () =>
          started({
            main: join(checkout, "services/gateway-mcp/src/main.ts"),
            env: { ...env, PROOFROOM_MCP_PORT: "0", PROOFROOM_RATE: "10000" },
            ready: listens,
          }),
        startWorkers: () =>
          started({
            main: workersMain,
            args: [root, redis.url],
            ready: /^serving$/m,
          }),
      });
    } finally {
      for (const program of programs.reverse()) await program.close();
      await redis.close();
    }
  });
}
