import { z } from "zod";
import { mediaTypes } from "../plugins/bodies.ts";
import { problemMediaType } from "../plugins/problems.ts";
import type { Answer, Route } from "./route.ts";

type Json = Record<string, unknown>;

/** Problems that any route may answer with. */
const everywhere = [400, 401, 403, 421, 429, 500, 503] as const;

const problemNames: Readonly<Record<number, string>> = {
  400: "The request is not valid.",
  401: "An API key is needed.",
  403: "Web pages of another origin are refused.",
  404: "There is no such thing.",
  409: "The state of the run does not allow it.",
  412: "The artifact is not the version that was named.",
  413: "The body is too large.",
  414: "The address is too long.",
  415: "The body's Content-Type is not one that this address takes.",
  416: "The range lies outside the artifact.",
  421: "The Host is not one that this server answers to.",
  422: "The Idempotency-Key was used for another request.",
  429: "Too many requests; Retry-After tells when to go on.",
  500: "Something went wrong here.",
  503: "The queue or the store is away; Retry-After tells when to try again.",
};

const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  remedy: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

function parameters(route: Route): Json[] {
  const of = (where: "path" | "query" | "header", shape: Readonly<Record<string, unknown>>) =>
    Object.entries(shape).map(([name, part]) => {
      const { description, ...described } = jsonSchema(part as z.ZodType, "input");
      const required =
        where === "path" || (where === "query" && !z.safeParse(part as z.ZodType, undefined).success);
      return { name, in: where, required, ...(description ? { description } : {}), schema: described };
    });
  return [
    ...of("path", route.params.shape),
    ...of("query", route.query.shape),
    ...of("header", route.headers ?? {}),
  ];
}

/** A text that says something. */
const textSchema = z.string().regex(/\S/);

function requestBody({ body }: Route): Json | undefined {
  if (body === null) return undefined;
  const schema = body.kind === "text" ? textSchema : body.schema;
  const content = Object.fromEntries(
    mediaTypes[body.kind].map((type) => [
      type,
      schema === undefined ? {} : { schema: jsonSchema(schema, "input") },
    ]),
  );
  return { required: schema === undefined || !schema.safeParse({}).success, content };
}

function answerOf(answer: Answer): Json {
  const { description, schema, mediaType, headers } = answer;
  const described = schema === undefined ? {} : { schema: jsonSchema(schema, "output") };
  const types = [mediaType ?? (schema === undefined ? [] : "application/json")].flat();
  return {
    description,
    ...(headers === undefined
      ? {}
      : {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, text]) => [
              name,
              { description: text, schema: { type: "string" } },
            ]),
          ),
        }),
    ...(types.length === 0 ? {} : { content: Object.fromEntries(types.map((type) => [type, described])) }),
  };
}

function operation(route: Route): Json {
  const problems = new Set([
    ...everywhere,
    ...(route.method === "GET" || route.method === "HEAD" ? [] : [413, 415]),
    ...(route.path.includes("{") ? [414] : []),
    ...(route.problems ?? []),
  ]);
  const body = requestBody(route);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.access === undefined || route.access === "key" ? {} : { security: [] }),
    parameters: parameters(route),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, answer]) => [status, answerOf(answer)]),
      ),
      ...Object.fromEntries(
        [...problems]
          .filter((status) => route.answers[status] === undefined)
          .map((status) => [
            status,
            {
              description: problemNames[status] ?? "It was refused.",
              content: { [problemMediaType]: { schema: { $ref: "#/components/schemas/Problem" } } },
            },
          ]),
      ),
    },
  };
}

/** The OpenAPI 3.1 document of the routes. */
export function openApiOf(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace("+}", "}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Proofroom",
      version: "1",
      description:
        "From a guideline to an article whose citations are verified and whose code has been run. Every error is a problem document (application/problem+json) with a stable code.",
    },
    servers: [{ url: "/" }],
    security: [{ key: [] }],
    tags: [
      { name: "runs", description: "One article project each." },
      { name: "artifacts", description: "The named files of a run." },
      { name: "jobs", description: "One execution of a capability each." },
      {
        name: "capabilities",
        description: "The bounded operations that a run is made of, to be called alone.",
      },
      { name: "service", description: "The service itself." },
    ],
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key." } },
      schemas: { Problem: jsonSchema(problemSchema, "output") },
    },
  };
}
