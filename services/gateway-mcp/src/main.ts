import { fileURLToPath } from "node:url";
import { ConfigError } from "@proofroom/config";
import { isProofroomError } from "@proofroom/contracts";
import { createLogger } from "@proofroom/telemetry";
import { startHttpGateway } from "./http/gateway.ts";
import { openDeps } from "./open-deps.ts";
import { readSettings } from "./settings.ts";

/** How long answers under way may take when the process is told to end, in milliseconds. */
const drainMs = 10_000;

async function serve(): Promise<void> {
  const settings = readSettings(process.env, {
    cwd: process.cwd(),
    checkout: fileURLToPath(new URL("../../..", import.meta.url)),
  });
  const log = createLogger({ level: settings.logLevel, destination: process.stderr });
  const { deps, close } = await openDeps(settings, log);
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
    await new Promise<void>((resolve) => {
      for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve());
    });
    log.info("draining");
    await gateway.close(drainMs);
  } finally {
    await close();
  }
}

try {
  await serve();
} catch (error) {
  if (!(error instanceof ConfigError) && !isProofroomError(error)) throw error;
  process.stderr.write(`${error.message}${isProofroomError(error) ? ` ${error.remedy ?? ""}` : ""}\n`);
  process.exitCode = 2;
}
