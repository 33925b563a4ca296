import { ProofroomError } from "@proofroom/contracts";
import { type ConnectedGateway, connectGateway } from "@proofroom/gateway-mcp";
import { listMovingRuns } from "@proofroom/runtime/records";
import type { Logger } from "@proofroom/telemetry";
import type { CommandContext } from "../commands/context.ts";
import { openHost } from "../host/open-host.ts";

export interface OpenGatewayOptions {
  context: CommandContext;
  log: Logger;
  /** False where the workers run elsewhere, on the Redis that is set. */
  workers: boolean;
  signal: AbortSignal;
}

/**
 * Opens what the tools work with: every service in this process, or a door to those on the Redis that is set.
 * @throws ProofroomError not_configured, dependency_down, invalid_input (a setting)
 */
export async function openGateway(options: OpenGatewayOptions): Promise<ConnectedGateway> {
  const { context, log, workers, signal } = options;
  const { settings, terminal } = context;
  if (!workers && settings.redis === undefined) {
    throw new ProofroomError({
      code: "not_configured",
      message: "Without workers of its own the gateway needs the Redis of others.",
      remedy: "Set REDIS_URL to it, or leave out --no-workers.",
    });
  }
  const store = await context.store();
  const tracing = await context.tracing();
  const host = await openHost({
    settings,
    store,
    log,
    tracing,
    signal,
    workers,
    notice: (line) => terminal.note(line),
    runs: (ending) => listMovingRuns(store, ending),
  });
  const { deps, close } = connectGateway({ store, redis: host.redis, log, tracing });
  return {
    deps,
    async close() {
      await close();
      await host.close();
    },
  };
}
