import { fileURLToPath } from "node:url";
import { runProgram, untilAborted } from "@proofroom/hosting/program";
import { createLogger, logFields, noTracing, type Tracing } from "@proofroom/telemetry";
import packageJson from "../package.json" with { type: "json" };
import { serveGateway } from "./serve-gateway.ts";
import { readSettings } from "./settings.ts";

/** How long what is under way may take to end, in milliseconds. */
const drainMs = 10_000;

await runProgram(process, async (signal) => {
  const settings = readSettings(process.env, {
    cwd: process.cwd(),
    checkout: fileURLToPath(new URL("../../..", import.meta.url)),
  });
  let tracing = noTracing;
  const fields = () => logFields(tracing.ids());
  const log = createLogger({ level: settings.logLevel, destination: process.stderr, fields });
  const { version } = packageJson;
  const onTracing = (opened: Tracing) => {
    tracing = opened;
  };
  const gateway = await serveGateway(settings, { log, version, onTracing }, signal);
  log.info({ url: gateway.url }, "the REST gateway listens");
  await untilAborted(signal);
  setTimeout(() => process.exit(1), drainMs).unref();
  await gateway.close();
  return 0;
});
