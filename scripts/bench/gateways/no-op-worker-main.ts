import { serve } from "../../../shared/runtime/src/index.ts";
import { critic, writer } from "../no-op-handlers.ts";
import { serveUntilTold } from "../serve-until-told.ts";

/** `no-op-worker-main.ts FOLDER REDIS`: workers that take jobs, do nothing, and record that they have; until SIGTERM. */
const [root = "", redisUrl = ""] = process.argv.slice(2);
await serveUntilTold({ root, redisUrl }, (deps) => [
  ...serve("writer", writer, deps),
  ...serve("critic", critic, deps),
]);
