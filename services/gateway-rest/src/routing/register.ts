import type { TenantStores } from "@proofroom/runtime/records";
import type { Tracing } from "@proofroom/telemetry";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import { acceptBodies } from "../plugins/bodies.ts";
import type { Draining } from "../plugins/draining.ts";
import { inServerSpan } from "../plugins/traced-request.ts";
import { HttpProblem } from "../problems/http-problem.ts";
import type { Route } from "./route.ts";

/** How many faults of one input are told. */
const faultsShown = 10;

/** @throws HttpProblem 400, naming each part that is wrong */
function parsePart<Schema extends z.ZodType>(what: string, schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.slice(0, faultsShown).map(({ path, message }) => ({
    path: path.map(String).join(".").slice(0, 200),
    message: message.slice(0, 300),
  }));
  const [first] = errors;
  throw new HttpProblem({
    status: 400,
    code: "invalid_input",
    detail: `The ${what} is not valid: ${first?.path ? `${first.path}: ` : ""}${first?.message ?? ""}`,
    errors,
  });
}

/** What a query cannot be decoded from, fastify takes as it stands. @throws HttpProblem 400 */
function assertDecodable(url: string): void {
  try {
    decodeURIComponent(url.slice(url.indexOf("?") + 1));
  } catch {
    throw new HttpProblem({
      status: 400,
      code: "invalid_input",
      detail: "The query is not UTF-8, percent-encoded.",
    });
  }
}

/** The address as fastify writes it. */
function pathOf(route: Route): string {
  return route.path.replace(/\{\w+\+\}$/, "*").replace(/\{(\w+)\}/g, ":$1");
}

/** The name of the parameter that takes the rest of the path. */
function restOf(route: Route): string | undefined {
  return /\{(\w+)\+\}$/.exec(route.path)?.[1];
}

function given(request: FastifyRequest, route: Route): Record<string, unknown> {
  const { "*": rest, ...params } = request.params as Record<string, unknown>;
  const name = restOf(route);
  return name === undefined ? params : { ...params, [name]: rest };
}

/** Answers 405 for what an address does not take, before any body is read. */
function refuseOtherMethods(app: FastifyInstance, routes: readonly Route[]): void {
  for (const [url, taken] of Map.groupBy(routes, pathOf)) {
    const allowed: readonly string[] = taken.map(({ method }) => method);
    const refuse = async () => {
      throw new HttpProblem({
        status: 405,
        code: "method_not_allowed",
        detail: "The address does not take this method.",
        headers: { allow: allowed.join(", ") },
      });
    };
    const config = { access: taken[0]?.access ?? "key" };
    // One route each: they are counted by their methods.
    for (const method of app.supportedMethods.filter((one) => !allowed.includes(one))) {
      app.route({ method, url, config, onRequest: refuse, handler: refuse });
    }
  }
}

/**
 * Registers the routes, each in the scope of the kind of body that it takes. Only here does a request meet the store.
 */
export async function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  {
    draining,
    tenants,
    tracing,
  }: { draining: Pick<Draining, "signalsOf">; tenants: TenantStores; tracing: Tracing },
): Promise<void> {
  for (const kind of ["json", "text", "stream"] as const) {
    await app.register(async (scope) => {
      acceptBodies(scope, kind);
      for (const route of routes.filter(({ body }) => (body?.kind ?? "json") === kind)) {
        scope.route({
          method: route.method,
          url: pathOf(route),
          ...(route.body?.limit === undefined ? {} : { bodyLimit: route.body.limit }),
          config: { access: route.access ?? "key" },
          async handler(request, reply) {
            const params = parsePart("address", route.params, given(request, route));
            assertDecodable(request.raw.url ?? "");
            const query = parsePart("query", route.query.strict(), request.query);
            const schema = route.body?.schema;
            const body =
              schema === undefined
                ? request.body
                : parsePart("body", schema, request.body === undefined ? {} : request.body);
            const signals = draining.signalsOf(reply);
            const { caller } = request;
            const store = tenants.of(caller.tenant);
            return inServerSpan(tracing, { route, request, reply }, () =>
              route.handle({ params, query, body, caller, store, request, reply, ...signals }),
            );
          },
        });
      }
    });
  }
  refuseOtherMethods(app, routes);
}
