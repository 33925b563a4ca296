import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { reaching } from "./reaching.ts";

type Script = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/**
 * A Lua script that is sent to the server once and called by its hash from then on, in one round trip.
 * @throws ProofroomError dependency_down, of each call
 */
export function openScript(connection: Redis, lua: string): Script {
  const sha = createHash("sha1").update(lua).digest("hex");
  return (keys, args) =>
    reaching(connection, async () => {
      try {
        return await connection.evalsha(sha, keys.length, ...keys, ...args);
      } catch (error) {
        // A server that is new, or has been started again, does not know it.
        if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
        return connection.eval(lua, keys.length, ...keys, ...args);
      }
    });
}
