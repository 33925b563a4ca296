import { createHostCheck } from "@proofroom/access";
import type { FastifyInstance } from "fastify";
import type { AuthOptions } from "../deps.ts";
import { HttpProblem } from "../problems/http-problem.ts";

const problems = {
  unclear: { status: 400, code: "invalid_input", detail: "The Host header is not valid." },
  host: {
    status: 421,
    code: "misdirected",
    detail:
      "This server does not answer to that name: only to localhost, 127.0.0.1, [::1] and those that PROOFROOM_REST_ALLOWED_HOSTS names.",
  },
  origin: {
    status: 403,
    code: "forbidden",
    detail: "Requests from web pages of another origin are refused.",
  },
} as const;

/** Refuses requests that a browser was tricked into, and those that do not say clearly which host they mean. */
export function installHostGuard(app: FastifyInstance, { host, allowedHosts = [] }: AuthOptions): void {
  const faultOf = createHostCheck({ host, allowedHosts, localPages: false });
  app.addHook("onRequest", async (request) => {
    const fault = faultOf(request.raw);
    if (fault !== null) throw new HttpProblem(problems[fault]);
  });
}
