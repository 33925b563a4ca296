import { openStore } from "@proofroom/artifacts";
import { ConfigError } from "@proofroom/config";
import { connect, createCancelBus, createEventLog, createProducer, disconnect } from "@proofroom/queue";
import type { Logger } from "@proofroom/telemetry";
import type { GatewayDeps } from "./gateway-deps.ts";
import type { Settings } from "./settings.ts";

export interface OpenedDeps {
  deps: GatewayDeps;
  close(): Promise<void>;
}

/**
 * Opens the store and the queue that the settings name. Redis may be away: calls that need it fail until it is back.
 * @throws ConfigError where no Redis is named
 */
export async function openDeps(settings: Settings, log: Logger): Promise<OpenedDeps> {
  if (settings.redisUrl === undefined) throw new ConfigError("REDIS_URL", "must be set");
  const { s3, home } = settings;
  const store = await openStore({ store: settings.store ?? { kind: "file", folder: home }, s3 });
  const connection = connect({ url: settings.redisUrl.reveal(), role: "producer", log });
  const producer = createProducer(connection);
  const bus = createCancelBus(connection);
  const events = createEventLog(connection, log);
  return {
    deps: { store, producer, events, bus },
    async close() {
      await events.flush(1_000);
      bus.close();
      await producer.close();
      await disconnect(connection);
      await store.close();
    },
  };
}
