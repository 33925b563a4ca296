import { bearerToken, type Caller, createKeyring, isLoopback, openCaller } from "@proofroom/access";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AuthOptions } from "../deps.ts";
import { HttpProblem } from "../problems/http-problem.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** `key`: a key is needed where keys are set; `local`: not from this machine; `public`: never. */
    access?: "key" | "local" | "public";
  }
}

function unauthorized(detail: string, challenge: string): HttpProblem {
  return new HttpProblem({
    status: 401,
    code: "unauthorized",
    detail,
    headers: { "www-authenticate": challenge },
  });
}

/** Headers by which a proxy says that it speaks for somebody else. */
const proxyHeader =
  /^(?:forwarded|via|x-forwarded-.+|x-(?:real|client|cluster-client)-ip|(?:cf|fastly)-.+|true-client-ip)$/;

/** A peer on this machine, unless it only passes on what came from elsewhere. */
export function isLocal(request: FastifyRequest): boolean {
  const forwarded = Object.keys(request.headers).some((name) => proxyHeader.test(name));
  return !forwarded && isLoopback(request.raw.socket.remoteAddress ?? "");
}

/** Finds out who asks: by an API key, as a bearer token, where any are set. */
export function installAuthentication(app: FastifyInstance, auth: AuthOptions): void {
  const keyring = createKeyring(auth.keys);
  app.decorateRequest("caller");
  app.addHook("onRequest", async (request) => {
    const { access = "key" } = request.routeOptions.config;
    request.caller = openCaller;
    if (!keyring.holds || access === "public") return;
    if (access === "local" && isLocal(request)) return;
    const token = bearerToken(request.headers.authorization);
    if (token === null) {
      throw unauthorized("An API key is needed: Authorization: Bearer …", 'Bearer realm="proofroom"');
    }
    const caller = keyring.find(token);
    if (caller === null) {
      throw unauthorized("The API key is not known.", 'Bearer realm="proofroom", error="invalid_token"');
    }
    request.caller = caller;
  });
}
