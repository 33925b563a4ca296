import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AuthOptions } from "../deps.ts";
import { HttpProblem } from "../problems/http-problem.ts";
import { isLoopback } from "./loopback.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks: the hash of their key, or `open` where no keys are set. */
    principal: string;
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

/** A peer on this machine, unless it only passes on what came from elsewhere. */
function isLocal(request: FastifyRequest): boolean {
  const { headers } = request;
  const forwarded = headers["x-forwarded-for"] !== undefined || headers["forwarded"] !== undefined;
  return !forwarded && isLoopback(request.raw.socket.remoteAddress ?? "");
}

/** Asks for an API key as a bearer token. Keys are known by their sha256 alone, and all are compared, in constant time. */
export function installAuthentication(app: FastifyInstance, auth: AuthOptions): void {
  const known = auth.keys.map((key) => Buffer.from(key, "hex"));
  app.decorateRequest("principal", "open");
  app.addHook("onRequest", async (request) => {
    const { access = "key" } = request.routeOptions.config;
    if (known.length === 0 || access === "public") return;
    if (access === "local" && isLocal(request)) return;
    const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined) {
      throw unauthorized("An API key is needed: Authorization: Bearer …", 'Bearer realm="proofroom"');
    }
    const given = createHash("sha256").update(token).digest();
    const matches = known.filter((key) => timingSafeEqual(key, given));
    if (matches.length === 0) {
      throw unauthorized("The API key is not known.", 'Bearer realm="proofroom", error="invalid_token"');
    }
    request.principal = given.toString("hex");
  });
}
