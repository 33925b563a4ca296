import { openStore, watchWrites } from "@proofroom/artifacts";
import { ConfigError } from "@proofroom/config";
import { openTracing } from "@proofroom/hosting/program";
import { readRedisAddress } from "@proofroom/queue";
import { indexRuns } from "@proofroom/runtime/records";
import type { Logger, Tracing } from "@proofroom/telemetry";
import { type ConnectedGateway, connectGateway } from "./connect-gateway.ts";
import type { Settings } from "./settings.ts";

/**
 * Opens the store and the queue that the settings name. Redis may be away: calls that need it fail until it is back.
 * @throws ConfigError where no Redis is named; ProofroomError invalid_input for an address that is none
 */
export async function openDeps(
  settings: Settings,
  { log, version }: { log: Logger; version: string },
): Promise<ConnectedGateway & { tracing: Tracing }> {
  if (settings.redis === undefined) throw new ConfigError("REDIS_URL", "must be set");
  const redis = await readRedisAddress(settings.redis, settings.cwd);
  const store = await openStore(settings);
  await indexRuns(store);
  const writes = watchWrites(store);
  await writes.tried;
  const tracing = await openTracing({ settings, serviceName: "proofroom-gateway-mcp", version, store, log });
  const { deps, close } = connectGateway({ store, redis, log, tracing });
  return {
    deps: { ...deps, writes },
    tracing,
    async close() {
      writes.stop();
      await close();
      await tracing.close();
      await store.close();
    },
  };
}
