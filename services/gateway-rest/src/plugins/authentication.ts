import { bearerToken, type Caller, createKeyring, isLocalRequest, openCaller } from "@proofroom/access";
import type { FastifyInstance } from "fastify";
import type { AuthOptions } from "../deps.ts";
import type { RefuseKey } from "./refused-keys.ts";

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

/** Finds out who asks: by an API key, as a bearer token, where any are set. */
export function installAuthentication(
  app: FastifyInstance,
  auth: Pick<AuthOptions, "keys">,
  refuse: RefuseKey,
): void {
  const keyring = createKeyring(auth.keys);
  app.decorateRequest("caller");
  app.addHook("onRequest", async (request) => {
    const { access = "key" } = request.routeOptions.config;
    request.caller = openCaller;
    if (!keyring.holds || access === "public") return;
    if (access === "local" && isLocalRequest(request.raw)) return;
    const token = bearerToken(request.headers.authorization);
    if (token === null) {
      throw refuse(request, "An API key is needed: Authorization: Bearer …", 'Bearer realm="proofroom"');
    }
    const caller = keyring.find(token);
    if (caller === null) {
      throw refuse(request, "The API key is not known.", 'Bearer realm="proofroom", error="invalid_token"');
    }
    request.caller = caller;
  });
}
