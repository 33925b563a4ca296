import { createFailureLimiter } from "@proofroom/access";
import type { FastifyRequest } from "fastify";
import type { AppDeps } from "../deps.ts";
import { HttpProblem } from "../problems/http-problem.ts";
import { tooMany } from "../problems/too-many.ts";

/** What is answered to who has no key that holds: 401 with the challenge, or 429 to who comes with many. */
export type RefuseKey = (request: FastifyRequest, detail: string, challenge: string) => HttpProblem;

/** Counts the refused by the address of the peer, whatever it says of whom it speaks for. */
export function createKeyRefusals({ auth, now }: Pick<AppDeps, "auth" | "now">): RefuseKey {
  const { ratePerSecond } = auth;
  const limiter = ratePerSecond === undefined ? undefined : createFailureLimiter(ratePerSecond);
  return ({ raw }, detail, challenge) => {
    const wait = limiter?.take(raw.socket.remoteAddress ?? "", now().getTime()) ?? 0;
    if (wait > 0) return tooMany("Too many requests without a key that holds.", wait);
    return new HttpProblem({
      status: 401,
      code: "unauthorized",
      detail,
      headers: { "www-authenticate": challenge },
    });
  };
}
