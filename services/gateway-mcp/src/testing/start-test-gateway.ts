import { createHash } from "node:crypto";
import { indexRuns } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import { type HttpGateway, type HttpGatewayOptions, startHttpGateway } from "../http/gateway.ts";
import { openTestDeps } from "./fake-workers.ts";

/** A gateway over HTTP, in a folder and on a Redis of a test. */
export async function startTestGateway(
  place: { root: string; redisUrl: string },
  options: Partial<HttpGatewayOptions> = {},
): Promise<HttpGateway> {
  const { deps, close } = openTestDeps(place);
  await indexRuns(deps.store);
  const gateway = await startHttpGateway({
    deps,
    log: silentLogger(),
    inlineMs: 10_000,
    host: "127.0.0.1",
    port: 0,
    apiKeys: [],
    allowedHosts: [],
    ...options,
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    url: gateway.url,
    async close(graceMs) {
      await gateway.close(graceMs);
      await close();
    },
  };
}

/** A key of a tenant as a gateway is told it. */
export function apiKeyOf(tenant: string, key: string) {
  return { tenant, sha256: createHash("sha256").update(key).digest("hex") };
}
