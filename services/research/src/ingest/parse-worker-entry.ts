import { Worker } from "node:worker_threads";
import { isProofroomError, toPublicError } from "@proofroom/contracts";
import type { WorkerReply } from "./parse-worker.ts";

// The entry of a worker: it runs the `work` of the module it is given, once, and answers. A thread looks after
// the owner: should it die, nobody else would end a parse that never comes back.
const watch = `const owner = process.ppid;
setInterval(() => process.ppid === owner || process.kill(process.pid, "SIGKILL"), 500);`;

async function answer(request: { module: string; payload: unknown }): Promise<WorkerReply> {
  try {
    const { work } = (await import(request.module)) as { work: (payload: unknown) => unknown };
    return { value: await work(request.payload) };
  } catch (error) {
    return isProofroomError(error) ? { error: toPublicError(error) } : { crash: String(error) };
  }
}

new Worker(watch, { eval: true }).unref();
process.once("message", async (request: { module: string; payload: unknown }) => {
  process.send?.(await answer(request));
});
