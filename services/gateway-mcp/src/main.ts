import { fileURLToPath } from "node:url";
import { runProgram, untilAborted } from "@proofroom/hosting/program";
import { createLogger, logFields, noTracing } from "@proofroom/telemetry";
import packageJson from "../package.json" with { type: "json" };
import { startHttpGateway } from "./http/gateway.ts";
import { openDeps } from "./open-deps.ts";
import { readSettings } from "./settings.ts";

/** How long answers under way may take when the process is told to end, in milliseconds. */
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
  const { deps, close, ...opened } = await openDeps(settings, { log, version });
  tracing = opened.tracing;
  try {
    const { host, port, apiKeys, oauth, ratePerSecond, allowedHosts } = settings;
    const gateway = await startHttpGateway({
      deps,
      log,
      host,
      port,
      apiKeys,
      oauth,
      ratePerSecond,
      allowedHosts,
    });
    log.info({ url: gateway.url }, "serving");
    await untilAborted(signal);
    log.info("draining");
    await gateway.close(drainMs);
  } finally {
    await close();
  }
  return 0;
});
