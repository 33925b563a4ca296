import { silentLogger } from "@proofroom/telemetry";
import { serveStdioGateway } from "../stdio/stdio-gateway.ts";
import { openTestDeps } from "./fake-workers.ts";

/** `stdio-main.ts FOLDER REDIS INLINE_MS`: a gateway over this process's own streams, for tests. */
const [root = "", redisUrl = "", inlineMs = "0"] = process.argv.slice(2);
const { deps, close } = openTestDeps({ root, redisUrl });
const gateway = serveStdioGateway({
  open: async () => deps,
  log: silentLogger(),
  inlineMs: Number(inlineMs),
  input: process.stdin,
  output: process.stdout,
});
await gateway.ended;
await gateway.close(0);
await close();
