import { ProofroomError } from "@proofroom/contracts";
import fastify, { type FastifyInstance } from "fastify";
import type { AppDeps } from "./deps.ts";
import { installAuthentication } from "./plugins/authentication.ts";
import { installDraining } from "./plugins/draining.ts";
import { installHostGuard } from "./plugins/host-guard.ts";
import { installMetrics } from "./plugins/metrics.ts";
import { installProblems, refuseMalformed, sendProblem } from "./plugins/problems.ts";
import { installRateLimit } from "./plugins/rate-limit.ts";
import { installReference } from "./plugins/reference.ts";
import { artifactRoutes } from "./routes/artifacts.ts";
import { eventRoute } from "./routes/events.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { putArtifactRoute } from "./routes/put-artifact.ts";
import { runControlRoutes } from "./routes/run-control.ts";
import { runRoutes } from "./routes/runs.ts";
import { serviceRoutes } from "./routes/service.ts";
import { uploadRoute } from "./routes/uploads.ts";
import { openApiOf } from "./routing/openapi.ts";
import { registerRoutes } from "./routing/register.ts";
import { type Route, route } from "./routing/route.ts";

/** JSON bodies, in bytes. */
const bodyLimit = 4 * 1024 * 1024;

/** A parameter of an address: the longest artifact name, every byte of it percent-encoded. */
const maxParamLength = 3 * 900;

/** How long a client may take to send its headers, and a whole request, in milliseconds. */
const headersTimeout = 15_000;
const requestTimeout = 120_000;

/**
 * Builds the REST gateway; it listens when the caller tells it to, and lets go of nothing that it was given.
 * @throws ProofroomError not_configured where it would be open to other machines without a key
 */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  if (!deps.auth.loopback && deps.auth.keys.length === 0) {
    throw new ProofroomError({
      code: "not_configured",
      message: "Without API keys the gateway listens on a loopback address only.",
      remedy: "Set PROOFROOM_API_KEYS to the sha256 of each key, in hex, separated by commas.",
    });
  }
  const app = fastify({
    bodyLimit,
    requestTimeout,
    routerOptions: { maxParamLength },
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    http: { headersTimeout },
    frameworkErrors: (error, _request, reply) => sendProblem(reply, error),
    clientErrorHandler: refuseMalformed,
  });
  installProblems(app, deps.log);
  const draining = installDraining(app);
  const metrics = installMetrics(app, draining);
  installHostGuard(app, deps.auth);
  installAuthentication(app, deps.auth);
  installRateLimit(app, deps);
  await registerRoutes(app, routesOf(deps, metrics), draining);
  await installReference(app);
  await app.ready();
  return app;
}

function routesOf(deps: AppDeps, metrics: ReturnType<typeof installMetrics>): Route[] {
  const routes: Route[] = [
    ...runRoutes(deps),
    ...runControlRoutes(deps),
    eventRoute(deps),
    ...artifactRoutes(deps),
    putArtifactRoute(deps),
    uploadRoute(deps),
    ...jobRoutes(deps),
    ...serviceRoutes(deps, metrics),
  ];
  const document = () => openApiOf(routes);
  routes.push(
    route({
      method: "GET",
      path: "/openapi.json",
      id: "getOpenApi",
      tag: "service",
      summary: "This document",
      access: "public",
      answers: { 200: { description: "OpenAPI 3.1.", mediaType: "application/json" } },
      handle: async () => document(),
    }),
  );
  return routes;
}
