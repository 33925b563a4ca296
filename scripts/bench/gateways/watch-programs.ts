import { setTimeout as pause } from "node:timers/promises";
import { connect, disconnect } from "../../../shared/queue/src/index.ts";
import { silentLogger } from "../../../shared/telemetry/src/index.ts";
import type { Program } from "./start-program.ts";

export interface Most {
  /** In the program that had most. */
  openFiles: number;
  redisConnections: number;
}

/** How often is looked, in milliseconds. */
const every = 500;

/** Looks at programs and at Redis from time to time, until it is ended: then it answers the most that there was. */
export function watchPrograms(
  programs: readonly Program[],
  redis: { url: string },
): { end(): Promise<Most> } {
  const done = new AbortController();
  const most: Most = { openFiles: 0, redisConnections: 0 };
  const connection = connect({ url: redis.url, role: "producer", log: silentLogger() });

  async function look(): Promise<void> {
    for (const program of programs) {
      most.openFiles = Math.max(most.openFiles, (await program.look()).openFiles);
    }
    const [, connected] = /^connected_clients:(\d+)/m.exec(await connection.info("clients")) ?? [];
    // Its own is not one of theirs.
    most.redisConnections = Math.max(most.redisConnections, Number(connected) - 1);
  }

  async function watch(): Promise<void> {
    while (!done.signal.aborted) {
      await look();
      await pause(every, undefined, { signal: done.signal }).catch(() => undefined);
    }
  }

  const watching = watch();
  // A program that does not answer is told of when the watch ends.
  watching.catch(() => undefined);
  return {
    async end() {
      done.abort();
      await watching.finally(() => disconnect(connection));
      return most;
    },
  };
}
