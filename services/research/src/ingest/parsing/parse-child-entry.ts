import { Worker } from "node:worker_threads";
import { isProofroomError, toPublicError } from "@proofroom/contracts";
import type { ParseReply, ParseRequest } from "./parse-child.ts";

// The entry of a child: it runs the `work` of the modules it is given, one request after the other, and answers.
// A thread looks after the owner: should it die, nobody else would end a parse that never comes back.
// It is told who the owner is: asked for too late, the parent would be another already.
const watch = `const { workerData: owner } = require("node:worker_threads");
setInterval(() => process.ppid === owner || process.kill(process.pid, "SIGKILL"), 500);`;

async function answer({ module, payload }: ParseRequest): Promise<ParseReply> {
  const outcome = await attempt(module, payload);
  return { ...outcome, rssBytes: process.memoryUsage.rss() };
}

async function attempt(module: string, payload: unknown) {
  try {
    const { work } = (await import(module)) as { work: (payload: unknown) => unknown };
    return { value: await work(payload) };
  } catch (error) {
    return isProofroomError(error) ? { error: toPublicError(error) } : { crash: String(error) };
  }
}

// An interrupt from the terminal goes to the whole group; when to end is the owner's decision.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
new Worker(watch, { eval: true, workerData: Number(process.argv[2]) }).unref();
process.on("message", async (request: ParseRequest) => {
  process.send?.(await answer(request));
});
