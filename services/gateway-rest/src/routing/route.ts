import type { Caller } from "@proofroom/access";
import type { ObjectStore } from "@proofroom/artifacts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { BodyKind } from "../plugins/bodies.ts";

/** What a handler gets: the parts of the request that its schemas have let through. */
interface Call<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  caller: Caller;
  /** As the caller's tenant sees it: nothing of another's is in it. */
  store: ObjectStore;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborts when the client hangs up. */
  signal: AbortSignal;
  /** Aborts also when the server begins to close: for what only waits, and would not end soon by itself. */
  ending: AbortSignal;
}

export interface Answer {
  description: string;
  /** Of a JSON answer. */
  schema?: z.ZodType;
  /** Of an answer that is not JSON: what it may be. */
  mediaType?: string | readonly string[];
  headers?: Readonly<Record<string, string>>;
}

interface Described {
  method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  /** With its parameters in braces; a last one with `+` takes the rest of the path, slashes and all. */
  path: string;
  id: string;
  tag: "runs" | "jobs" | "capabilities" | "artifacts" | "service";
  summary: string;
  description?: string;
  access?: "key" | "local" | "public";
  /** What it takes note of, each with a description; handlers check what they use. */
  headers?: Readonly<Record<string, z.ZodString>>;
  answers: Readonly<Record<number, Answer>>;
  /** Statuses of the problems that it may answer with, beside those of every route. */
  problems?: readonly number[];
}

/** A route: what the server registers and the OpenAPI document describes, declared once. */
export interface Route extends Described {
  params: z.ZodObject;
  query: z.ZodObject;
  /** Of JSON bodies: their schema. */
  body: { kind: BodyKind; schema?: z.ZodType; limit?: number } | null;
  handle(call: Call<unknown, unknown, unknown>): Promise<unknown>;
}

type Typed<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> = Described & {
  params?: Params;
  query?: Query;
  handle(call: Call<z.output<Params>, z.output<Query>, z.output<Body>>): Promise<unknown>;
};

const nothing = z.object({});

/** Declares a route without a body. */
export function route<Params extends z.ZodObject, Query extends z.ZodObject>(
  declared: Typed<Params, Query, z.ZodUndefined>,
): Route {
  return { params: nothing, query: nothing, body: null, ...declared } as Route;
}

/** Declares a route that takes JSON. */
export function jsonRoute<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType>(
  declared: Typed<Params, Query, Body> & { body: Body },
): Route {
  const body = { kind: "json", schema: declared.body } as const;
  return { params: nothing, query: nothing, ...declared, body } as unknown as Route;
}

/** Declares a route whose body is not JSON: bytes of a text, or a stream. */
export function rawRoute<Params extends z.ZodObject, Query extends z.ZodObject>(
  declared: Typed<Params, Query, z.ZodUnknown> & { body: { kind: "text" | "stream"; limit: number } },
): Route {
  return { params: nothing, query: nothing, ...declared } as Route;
}
