import { fileURLToPath } from "node:url";
import { toProofroomError } from "@proofroom/contracts";
import { createLogger } from "@proofroom/telemetry";
import { serveGateway } from "./serve-gateway.ts";
import { readSettings } from "./settings.ts";

/** How long what is under way may take to end, in milliseconds. */
const drainMs = 10_000;

const interruption = new AbortController();
const interrupted = new Promise<void>((resolve) => {
  interruption.signal.addEventListener("abort", () => resolve(), { once: true });
});
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => interruption.abort());

try {
  const settings = readSettings(process.env, {
    cwd: process.cwd(),
    checkout: fileURLToPath(new URL("../../..", import.meta.url)),
  });
  const log = createLogger({ level: settings.logLevel, destination: process.stderr });
  const gateway = await serveGateway(settings, log, interruption.signal);
  log.info({ url: gateway.url }, "the REST gateway listens");
  await interrupted;
  setTimeout(() => process.exit(1), drainMs).unref();
  await gateway.close();
} catch (thrown) {
  const { code, message, remedy } = toProofroomError(thrown);
  process.stderr.write(`${code}: ${message}${remedy === undefined ? "" : ` ${remedy}`}\n`);
  process.exitCode = 1;
}
