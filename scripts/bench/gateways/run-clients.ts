import { fork } from "node:child_process";
import { once } from "node:events";
import { endWith } from "../end-with.ts";

/**
 * Runs a program that plays clients in a process of its own, so that they do not share the bench's time.
 * @returns what it sends at its end
 * @throws the signal's reason when interrupted
 */
export async function runClients<Report>(main: string, load: unknown, signal: AbortSignal): Promise<Report> {
  signal.throwIfAborted();
  const child = fork(main, [JSON.stringify(load)], { detached: true, execArgv: [] });
  const release = endWith(signal, child);
  let report: Report | undefined;
  child.on("message", (message) => {
    report = message as Report;
  });
  const [code] = await once(child, "close").finally(release);
  signal.throwIfAborted();
  if (report === undefined) throw new Error(`the clients ended with ${code} and no report`);
  return report;
}
