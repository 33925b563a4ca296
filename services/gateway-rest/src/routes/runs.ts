import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "@proofroom/access";
import type { ObjectStore } from "@proofroom/artifacts";
import { type RunOptions, runOptionsSchema } from "@proofroom/contracts";
import { startRun, stopAll } from "@proofroom/runtime";
import {
  createRun,
  describeRun,
  guidelineTextSchema,
  pageOfRuns,
  removeRun,
  summariseRun,
  titleOfGuideline,
} from "@proofroom/runtime/records";
import { z } from "zod";
import type { RunRouteDeps } from "../deps.ts";
import { HttpProblem } from "../problems/http-problem.ts";
import { jsonRoute, type Route, route } from "../routing/route.ts";
import { type Claim, createOnce } from "../runs/create-once.ts";
import { decodeCursor, encodeCursor } from "../runs/cursor.ts";
import { requireRun } from "../runs/require-run.ts";
import { runParams, runSchema, runSummarySchema } from "./schemas.ts";

const newRunSchema = z.strictObject({
  guideline: guidelineTextSchema.describe(
    "The guideline: Markdown with the topic, the outline and the sources.",
  ),
  title: z
    .string()
    .trim()
    .regex(/\S/, "must say something")
    .max(300)
    .refine((text) => text.isWellFormed(), "must be well-formed Unicode")
    .optional()
    .describe("What lists show; by default the guideline's first heading."),
  options: runOptionsSchema.strict().prefault({}),
  start: z.boolean().default(true).describe("Whether the run is set in motion at once."),
});
type NewRunBody = z.output<typeof newRunSchema>;

const listQuery = z.object({
  limit: z
    .string()
    .regex(/^(?:[1-9][0-9]?|100)$/)
    .transform(Number)
    .prefault("20")
    .describe("How many, 1 to 100."),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,200}$/)
    .optional()
    .describe("`next_cursor` of the page before."),
});

const keyPattern = /^[!-~]{1,255}$/;

/** @throws HttpProblem 400 */
function idempotencyKey(header: unknown): string | null {
  if (header === undefined) return null;
  if (typeof header === "string" && keyPattern.test(header)) return header;
  throw new HttpProblem({
    status: 400,
    code: "invalid_input",
    detail: "The Idempotency-Key must have 1 to 255 printable ASCII characters and no spaces.",
  });
}

/**
 * How long the first request with a key may take to set its run in motion before it counts as one that died, and how often
 * that is looked at; milliseconds.
 */
const startLateAfter = 2_000;
const lookEvery = 50;

/** The routes by which runs are created, found and removed. */
export function runRoutes(deps: RunRouteDeps): Route[] {
  const { now } = deps;

  async function create(
    { store, caller, body }: { store: ObjectStore; caller: Caller; body: NewRunBody },
    claim?: Claim,
  ): Promise<string> {
    const options: RunOptions = body.options;
    return createRun(store, {
      tenant: caller.tenant,
      title: body.title ?? titleOfGuideline(body.guideline),
      plan: "write",
      options,
      guideline: body.guideline,
      author: "person",
      async fill(made) {
        await claim?.(made.runId);
        return undefined;
      },
    });
  }

  /** Answers once the first request with a key has set its run in motion, and does it where that one never comes to it. */
  async function startOnce(store: ObjectStore, runId: string, signal: AbortSignal): Promise<void> {
    const end = performance.now() + startLateAfter;
    while ((await summariseRun(store, runId)).status === "queued") {
      if (performance.now() > end) return startRun({ ...deps, store }, runId);
      await pause(lookEvery, undefined, { signal });
    }
  }

  return [
    jsonRoute({
      method: "POST",
      path: "/v1/runs",
      id: "createRun",
      tag: "runs",
      summary: "Create a run",
      description:
        "Creates a run from a guideline and, unless `start` is false, sets it in motion. Local files that the guideline names are uploaded between creating and starting.",
      headers: {
        "Idempotency-Key": z
          .string()
          .regex(keyPattern)
          .describe("The same key with the same body answers the same run; with another body, 422."),
      },
      body: newRunSchema,
      answers: {
        201: { description: "The run.", schema: runSchema, headers: { Location: "Its address." } },
      },
      problems: [409, 422],
      async handle({ body, caller, store, request, reply, signal, ending }) {
        const key = idempotencyKey(request.headers["idempotency-key"]);
        // Found out before there is a run that nobody would learn of.
        if (body.start) await deps.events.position("readiness");
        const { runId, replayed } =
          key === null
            ? { runId: await create({ store, caller, body }), replayed: false }
            : await createOnce(
                { store, now, caller, key, request: JSON.stringify(body), signal: ending },
                (claim) => create({ store, caller, body }, claim),
              );
        if (!replayed) deps.events.publish({ run_id: runId, type: "run.created" }, caller.tenant);
        if (body.start && replayed) await startOnce(store, runId, signal);
        else if (body.start) await startRun({ ...deps, store }, runId);
        if (replayed) reply.header("idempotency-replayed", "true");
        return reply
          .code(201)
          .header("location", `/v1/runs/${runId}`)
          .send(await describeRun(store, runId, deps.tallies));
      },
    }),
    route({
      method: "GET",
      path: "/v1/runs",
      id: "listRuns",
      tag: "runs",
      summary: "List the runs",
      description: "Newest first.",
      query: listQuery,
      answers: {
        200: {
          description: "A page of runs.",
          schema: z.object({ runs: z.array(runSummarySchema), next_cursor: z.string().nullable() }),
        },
      },
      async handle({ query, caller, store, signal }) {
        const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
        const page = await pageOfRuns(store, {
          tenant: caller.tenant,
          before,
          limit: query.limit,
          signal,
        });
        for (const id of page.unreadable)
          deps.log.warn({ run_id: id }, "the records of a run cannot be read");
        return { runs: page.runs, next_cursor: page.next === null ? null : encodeCursor(page.next) };
      },
    }),
    route({
      method: "GET",
      path: "/v1/runs/{run_id}",
      id: "getRun",
      tag: "runs",
      summary: "Look at a run",
      params: runParams,
      answers: { 200: { description: "The run, its steps and what it has cost.", schema: runSchema } },
      problems: [404],
      async handle({ params, store }) {
        await requireRun(store, params.run_id);
        return describeRun(store, params.run_id, deps.tallies);
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/runs/{run_id}",
      id: "deleteRun",
      tag: "runs",
      summary: "Remove a run",
      description:
        "Cancels it if it moves, and the jobs that are at work for it, then removes everything that is stored of it. It cannot be undone.",
      params: runParams,
      answers: { 204: { description: "It is gone." } },
      problems: [404],
      async handle({ params, caller, store, reply }) {
        const { run_id } = await requireRun(store, params.run_id);
        await stopAll({ ...deps, store }, run_id);
        await removeRun(store, { tenant: caller.tenant, runId: run_id });
        return reply.code(204).send();
      },
    }),
  ];
}
