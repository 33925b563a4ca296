import type { AnyHandler } from "@proofroom/runtime";
import { startFakeWorkers } from "./fake-workers.ts";

/** `worker-main.ts FOLDER REDIS LOCK_MS`: a worker that takes a citation check, says so, and never ends it; for tests. */
const [root = "", redisUrl = "", lockMs = ""] = process.argv.slice(2);
const stuck: AnyHandler = () => {
  process.stdout.write("begun\n");
  return new Promise(() => undefined);
};
startFakeWorkers({
  root,
  redisUrl,
  services: ["critic"],
  lockMs: Number(lockMs),
  handlers: { verify_citations: stuck },
});
