import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endProcess, eventually } from "@proofroom/testing";

const gatewayMain = fileURLToPath(new URL("../main.ts", import.meta.url));

/** The command line hosts the workers; they share with the gateway what they share in production, and nothing else. */
const workersMain = fileURLToPath(new URL("../../../cli/src/main.ts", import.meta.url));

/** Where a program of a test works. */
export interface Place {
  home: string;
  redisUrl: string;
}

/** A program under test, in a process of its own. */
export interface Program {
  readonly child: ChildProcess;
  /** What it has said on stderr so far. */
  said(): string;
  /** Ends it with a signal, unless it has ended. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

function start(args: readonly string[], { home, redisUrl }: Place, env: Record<string, string>): Program {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      PROOFROOM_HOME: home,
      PROOFROOM_REST_PORT: "0",
      REDIS_URL: redisUrl,
      ...env,
    },
  });
  let text = "";
  child.stderr.on("data", (data) => {
    text += String(data);
  });
  return {
    child,
    said: () => text,
    end: async (signal) => void (await endProcess(child, signal)),
  };
}

export function startGateway(place: Place, env: Record<string, string> = {}): Program {
  return start([gatewayMain], place, env);
}

/** Where a gateway listens, once it does. */
export async function listening({ said }: Program): Promise<string> {
  const url = () => /"url":"(http:[^"]+)"/.exec(said())?.[1];
  await eventually(() => url() !== undefined);
  return url() ?? "";
}

export function startWorkers(place: Place, env: Record<string, string> = {}): Program {
  return start([workersMain, "serve", "--health-port", "0"], place, env);
}
