import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { eventually } from "@proofroom/testing";

export interface RedisProcess {
  kill(): Promise<void>;
}

/** Whether somebody listens there. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** Starts a Redis server, or a Sentinel, that listens on a port; waits until it does. */
export async function startRedisProcess(args: readonly string[], port: number): Promise<RedisProcess> {
  const child = spawn("redis-server", args, { stdio: "ignore" });
  const gone = once(child, "exit");
  const failed = gone.then(() => {
    throw new Error(`redis-server ended as it started: ${args.join(" ")}`);
  });
  failed.catch(() => undefined);
  await Promise.race([failed, eventually(() => listens(port))]);
  return {
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
