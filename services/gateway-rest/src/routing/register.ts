import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import { acceptBodies } from "../plugins/bodies.ts";
import type { Draining } from "../plugins/draining.ts";
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

/** Registers the routes, each in the scope of the kind of body that it takes. */
export async function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  draining: Pick<Draining, "signalOf">,
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
            const query = parsePart("query", route.query.strict(), request.query);
            const schema = route.body?.schema;
            const body = schema === undefined ? request.body : parsePart("body", schema, request.body ?? {});
            const signal = draining.signalOf(reply);
            return route.handle({ params, query, body, request, reply, signal });
          },
        });
      }
    });
  }
}
