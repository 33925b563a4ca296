import { assertProtected } from "@proofroom/access";
import { createTallies } from "@proofroom/artifacts";
import { createTenantStores } from "@proofroom/runtime/records";
import { noTracing } from "@proofroom/telemetry";
import fastify, { type FastifyInstance } from "fastify";
import type { AppDeps } from "./deps.ts";
import { installDashboard } from "./operations/dashboard.ts";
import { installAuthentication } from "./plugins/authentication.ts";
import { installDraining } from "./plugins/draining.ts";
import { installHostGuard } from "./plugins/host-guard.ts";
import { installMetrics } from "./plugins/metrics.ts";
import { installProblems, refuseMalformed, sendProblem } from "./plugins/problems.ts";
import { installRateLimit } from "./plugins/rate-limit.ts";
import { installReference } from "./plugins/reference.ts";
import { createKeyRefusals } from "./plugins/refused-keys.ts";
import { artifactRoutes } from "./routes/artifacts.ts";
import { eventRoute } from "./routes/events.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { linkRoute } from "./routes/links.ts";
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

/** How long a client may take to send its headers, and a whole request, and how often that is looked at; milliseconds. */
const headersTimeout = 15_000;
const requestTimeout = 120_000;
const connectionsCheckingInterval = 5_000;

/** How long a connection may be silent on which an answer is under way, in milliseconds: whoever does not take it is let go. */
const connectionTimeout = 120_000;

/**
 * Builds the REST gateway; it listens when the caller tells it to, and lets go of nothing that it was given.
 * @throws ProofroomError not_configured where it would be open to other machines without a key
 */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { host, keys } = deps.auth;
  assertProtected({ host, protectedBy: keys.length > 0 });
  const app = fastify({
    bodyLimit,
    requestTimeout,
    connectionTimeout,
    routerOptions: { maxParamLength },
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    // While it closes it answers what still comes over open connections, and closes each with that.
    return503OnClosing: false,
    http: { headersTimeout, connectionsCheckingInterval },
    frameworkErrors: (error, _request, reply) => sendProblem(reply, error),
    clientErrorHandler: refuseMalformed,
  });
  installProblems(app, deps.log);
  const draining = installDraining(app);
  const metrics = installMetrics(app, draining);
  installHostGuard(app, deps.auth);
  const refuseKey = createKeyRefusals(deps);
  installAuthentication(app, deps.auth, refuseKey);
  installRateLimit(app, deps);
  await registerRoutes(app, routesOf(deps, metrics), {
    draining,
    tenants: createTenantStores(deps.store),
    tracing: deps.tracing ?? noTracing,
  });
  await installReference(app);
  if (deps.board !== undefined)
    installDashboard(app, deps.board, { log: deps.log, operatorKeys: deps.auth.operatorKeys, refuseKey });
  await app.ready();
  return app;
}

function routesOf(deps: AppDeps, metrics: ReturnType<typeof installMetrics>): Route[] {
  const ofRuns = { ...deps, tallies: createTallies({ leavesOut: true }) };
  const routes: Route[] = [
    ...runRoutes(ofRuns),
    ...runControlRoutes(ofRuns),
    eventRoute(deps),
    ...artifactRoutes(),
    putArtifactRoute(deps),
    linkRoute(),
    uploadRoute(),
    ...jobRoutes(deps),
    ...serviceRoutes(deps, metrics),
  ];
  let document: ReturnType<typeof openApiOf> | undefined;
  routes.push(
    route({
      method: "GET",
      path: "/openapi.json",
      id: "getOpenApi",
      tag: "service",
      summary: "This document",
      access: "public",
      answers: { 200: { description: "OpenAPI 3.1.", mediaType: "application/json" } },
      async handle() {
        document ??= openApiOf(routes);
        return document;
      },
    }),
  );
  return routes;
}
