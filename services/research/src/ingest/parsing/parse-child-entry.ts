import { Worker } from "node:worker_threads";
import type { ChildMessage, ParseReply, ParseRequest } from "./parse-child.ts";
import { outcomeOf, type WorkOutcome } from "./work-outcome.ts";

// The entry of a child: it runs the `work` of the modules it is given, one request after the other, and answers.
// A thread looks after the owner: should it die, nobody else would end a parse that never comes back.
// It is told who the owner is: asked for too late, the parent would be another already.
const watch = `const { workerData: owner } = require("node:worker_threads");
setInterval(() => process.ppid === owner || process.kill(process.pid, "SIGKILL"), 500);`;

interface ParserModule {
  work(payload: unknown): unknown;
}

async function answer({ module, payload }: ParseRequest): Promise<ParseReply> {
  let outcome: WorkOutcome;
  try {
    const { work } = (await import(module)) as ParserModule;
    outcome = await outcomeOf(() => work(payload));
  } catch (error) {
    outcome = { fault: String(error) };
  }
  return { ...outcome, rssBytes: process.memoryUsage.rss() };
}

// An interrupt from the terminal goes to the whole group; when to end is the owner's decision.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
new Worker(watch, { eval: true, workerData: Number(process.argv[2]) }).unref();
process.on("message", async (request: ParseRequest) => {
  process.send?.(await answer(request));
});
process.send?.("ready" satisfies ChildMessage);
