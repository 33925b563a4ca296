import { createRateLimiter, openCaller } from "@proofroom/access";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AppDeps } from "../deps.ts";
import { tooMany } from "../problems/too-many.ts";

/** How many requests of one caller may be under way: each stream and each wait is one, and holds a connection. */
const openAtOnce = 1_000;

/** Who is counted: a key, or an address where nobody is asked for one. */
function nameOf({ caller, raw }: FastifyRequest): string {
  return caller.id === openCaller.id ? `address ${raw.socket.remoteAddress ?? ""}` : caller.id;
}

/** Slows down who asks for too much, and refuses to who leaves too much open what would starve the others. */
export function installRateLimit(app: FastifyInstance, { auth, now }: Pick<AppDeps, "auth" | "now">): void {
  const { ratePerSecond, openAtOnce: most = openAtOnce } = auth;
  const limiter = ratePerSecond === undefined ? undefined : createRateLimiter(ratePerSecond);
  const open = new Map<string, number>();

  app.addHook("onRequest", async (request, reply) => {
    if (request.routeOptions.config.access === "local") return;
    const name = nameOf(request);
    const wait = limiter?.take(name, now().getTime()) ?? 0;
    if (wait > 0) throw tooMany("Too many requests.", wait);
    const count = open.get(name) ?? 0;
    if (count >= most) throw tooMany("Too many requests are under way.", 1);
    open.set(name, count + 1);
    reply.raw.once("close", () => {
      const left = (open.get(name) ?? 1) - 1;
      if (left > 0) open.set(name, left);
      else open.delete(name);
    });
  });
}
