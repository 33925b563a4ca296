import { openStore } from "@proofroom/artifacts";
import { ConfigError } from "@proofroom/config";
import { indexRuns } from "@proofroom/runtime/records";
import type { Logger } from "@proofroom/telemetry";
import { type ConnectedGateway, connectGateway } from "./connect-gateway.ts";
import type { Settings } from "./settings.ts";

/**
 * Opens the store and the queue that the settings name. Redis may be away: calls that need it fail until it is back.
 * @throws ConfigError where no Redis is named
 */
export async function openDeps(settings: Settings, log: Logger): Promise<ConnectedGateway> {
  if (settings.redisUrl === undefined) throw new ConfigError("REDIS_URL", "must be set");
  const store = await openStore(settings);
  await indexRuns(store);
  const { deps, close } = connectGateway({ store, redisUrl: settings.redisUrl.reveal(), log });
  return {
    deps,
    async close() {
      await close();
      await store.close();
    },
  };
}
