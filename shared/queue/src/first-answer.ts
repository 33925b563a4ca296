import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { ProofroomError } from "@proofroom/contracts";
import { silentLogger } from "@proofroom/telemetry";
import { abandon, connect } from "./connection.ts";
import type { RedisAddress } from "./redis-address.ts";

const untrusted =
  /self[- ]signed|unable to (?:verify|get)|certificate has expired|altnames?|certificate is not yet/i;
const refused = /WRONGPASS|NOAUTH|NOPERM|invalid password|invalid username/;

/** What is wrong, in words for whoever set the address. The server's own may hold anything, and stay behind. */
function reasonOf(said: string): { message: string; remedy: string } {
  if (untrusted.test(said))
    return {
      message: "The Redis at REDIS_URL shows a certificate that is not trusted.",
      remedy:
        "Name the file of its authority in REDIS_TLS_CA, and the name that it is for in REDIS_TLS_SERVERNAME where it is another.",
    };
  if (refused.test(said))
    return {
      message: "The Redis at REDIS_URL does not accept the user and password.",
      remedy: "Correct them in REDIS_URL (those of Sentinels in REDIS_SENTINEL_PASSWORD).",
    };
  return {
    message: "The Redis at REDIS_URL does not answer.",
    remedy: "Start it, correct REDIS_URL, or unset it to have a private Redis started.",
  };
}

/**
 * Asks a given Redis once, as those who work with it will.
 * @throws ProofroomError dependency_down where it cannot be reached, does not let us in, or says nothing in the time
 */
export async function firstAnswer(address: RedisAddress, timeoutMs: number): Promise<void> {
  const connection = connect({ ...address, role: "producer", log: silentLogger() });
  const done = new AbortController();
  try {
    await Promise.race([
      connection.ping(),
      once(connection, "error", { signal: done.signal }).then(([error]) => {
        throw error;
      }),
      pause(timeoutMs, undefined, { signal: done.signal }).then(() => {
        throw new Error("it says nothing");
      }),
    ]);
  } catch (cause) {
    throw new ProofroomError({
      code: "dependency_down",
      ...reasonOf(cause instanceof Error ? cause.message : ""),
      disposition: { kind: "fail" },
      cause,
    });
  } finally {
    done.abort();
    abandon(connection);
  }
}
