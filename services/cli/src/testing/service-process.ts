import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ServiceName } from "@proofroom/contracts";
import { endProcess, eventually } from "@proofroom/testing";
import { startProcess } from "./start-process.ts";

/** What the services of a test share, as those of a deployment do. */
export interface Deployment {
  /** A folder: of the store, and of what each process keeps for itself. */
  folder: string;
  redisUrl: string;
  env?: Record<string, string>;
}

export interface ServiceProcess {
  readonly url: string;
  /** What it said on stderr after it had begun to listen. */
  readonly said: readonly string[];
  readiness(): Promise<{ status: number; reasons: string[] }>;
  /** Tells it to end, and kills it where it does not; answers its exit code. */
  end(): Promise<number | null>;
}

/** Where the processes of a deployment keep the runs. */
export function storeOf({ folder }: Pick<Deployment, "folder">): string {
  return `${folder}/store`;
}

/** Starts one service as a program of its own; waits until it tells of its health, whether it is ready or not. */
export async function startService(
  service: ServiceName,
  { folder, redisUrl, env = {} }: Deployment,
): Promise<ServiceProcess> {
  const { child, ready } = await startProcess({
    main: fileURLToPath(new URL(`../../../${service}/src/main.ts`, import.meta.url)),
    env: {
      HOME: folder,
      PROOFROOM_HOME: `${folder}/home`,
      PROOFROOM_STORE: `file:${storeOf({ folder })}`,
      PROOFROOM_HEALTH_PORT: "0",
      REDIS_URL: redisUrl,
      ...env,
    },
    readyWhen: /Health and metrics/,
  });
  const url = /http:\/\/[^/]+/.exec(ready)?.[0] ?? "";
  const said: string[] = [];
  if (child.stderr !== null) createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  return {
    url,
    said,
    async readiness() {
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) });
      const { reasons = [] } = (await answer.json()) as { reasons?: string[] };
      return { status: answer.status, reasons };
    },
    end: () => endProcess(child),
  };
}

/** Waits until it takes jobs. */
export async function untilReady(service: ServiceProcess): Promise<ServiceProcess> {
  await eventually(async () => (await service.readiness()).status === 200);
  return service;
}
