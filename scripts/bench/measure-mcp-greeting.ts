import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { proofroom } from "./command-line.ts";
import { endWith } from "./end-with.ts";
import type { Measure } from "./measurement.ts";
import { alternate } from "./rounds.ts";
import { median } from "./statistics.ts";
import { inTempHome } from "./temp-home.ts";

/** What a local client sends first. */
const greeting = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
});

/** Starts the server as a local client does; answers the seconds until its answer to `initialize` has come. */
async function secondsToGreeting(
  args: readonly string[],
  home: string,
  signal: AbortSignal,
): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: home,
    // In a process group of its own: Ctrl-C of a terminal reaches the bench alone, which ends it in order.
    detached: true,
    env: { PATH: process.env["PATH"], HOME: home, PROOFROOM_HOME: home, PROOFROOM_NO_INSTALL: "1" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const closed = once(child, "close").finally(endWith(signal, child));
  const lines = createInterface({ input: child.stdout });
  const answered = once(lines, "line");
  child.stdin.on("error", () => undefined);
  child.stdin.write(`${greeting}\n`);
  const [line] = await Promise.race([
    answered,
    closed.then(([code]) => {
      throw new Error(`${args.join(" ")} ended with ${code} and said nothing`);
    }),
  ]);
  const seconds = (performance.now() - start) / 1_000;
  child.stdin.end();
  await closed;
  const { id, result }: { id?: number; result?: object } = JSON.parse(line);
  if (id !== 1 || result === undefined)
    throw new Error(`what came first is no answer to initialize: ${line}`);
  return seconds;
}

/** How long an agent waits for `proofroom mcp` to answer `initialize`; the slowest of all rounds counts. */
export const measureMcpGreeting: Measure = ({ root, signal }) =>
  inTempHome(async (home) => {
    const greet =
      (...args: string[]) =>
      () =>
        secondsToGreeting(args, home, signal);
    const times = await alternate(
      {
        program: greet(...proofroom(root, "mcp")),
        launched: greet(join(root, "services/cli/bin/proofroom.mjs"), "mcp"),
      },
      { rounds: 7, warmUp: 1, signal },
    );
    const target = { atMost: 2 };
    return [
      { what: "mcp until initialize is answered, median", value: median(times.program), unit: "s" },
      { what: "… the slowest", value: Math.max(...times.program), unit: "s", target },
      { what: "… with the launcher, median", value: median(times.launched), unit: "s" },
      { what: "… with the launcher, the slowest", value: Math.max(...times.launched), unit: "s", target },
    ];
  });
