import { spawn } from "node:child_process";
import { connect } from "node:net";
import { endProcess, eventually, untilServing } from "@proofroom/testing";

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
  await untilServing(
    child,
    eventually(() => listens(port)),
  );
  return { kill: async () => void (await endProcess(child, "SIGKILL")) };
}
