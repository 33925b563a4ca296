import { isProofroomError, type RunOptions, runOptionsSchema } from "@proofroom/contracts";
import { cancelRun, startRun } from "@proofroom/runtime";
import { createRun, describeRun, listRuns, summariseRun } from "@proofroom/runtime/records";
import { z } from "zod";
import type { AppDeps } from "../deps.ts";
import { HttpProblem } from "../problems/http-problem.ts";
import { reaching } from "../queue-away.ts";
import { jsonRoute, type Route, route } from "../routing/route.ts";
import { type Claim, createOnce } from "../runs/create-once.ts";
import { decodeCursor, encodeCursor } from "../runs/cursor.ts";
import { removeRun } from "../runs/remove-run.ts";
import { requireRun } from "../runs/require-run.ts";
import { runParams, runSchema, runSummarySchema } from "./schemas.ts";

const wellFormed = (text: string) => text.isWellFormed();

const newRunSchema = z.strictObject({
  guideline: z
    .string()
    .min(1)
    .max(1_000_000)
    .refine((text) => text.trim() !== "", "must say something")
    .refine(wellFormed, "must be well-formed Unicode")
    .describe("The guideline: Markdown with the topic, the outline and the sources."),
  title: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .refine(wellFormed, "must be well-formed Unicode")
    .optional()
    .describe("What lists show; by default the guideline's first heading."),
  options: runOptionsSchema.strict().prefault({}),
  start: z.boolean().default(true).describe("Whether the run is set in motion at once."),
});
type NewRunBody = z.output<typeof newRunSchema>;

const listQuery = z.object({
  limit: z
    .string()
    .regex(/^[0-9]{1,3}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(100))
    .prefault("20")
    .describe("How many, 1 to 100."),
  cursor: z.string().max(200).optional().describe("`next_cursor` of the page before."),
});

function titleOf({ title, guideline }: NewRunBody): string {
  const heading = /^ {0,3}#{1,6}[ \t]+(?<text>[^\n]+)$/m.exec(guideline)?.groups?.["text"];
  return (
    title ??
    (heading
      ?.replace(/[ \t]+#*\s*$/, "")
      .trim()
      .slice(0, 300) ||
      "Untitled")
  );
}

/** @throws HttpProblem 400 */
function idempotencyKey(header: unknown): string | null {
  if (header === undefined) return null;
  if (typeof header === "string" && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new HttpProblem({
    status: 400,
    code: "invalid_input",
    detail: "The Idempotency-Key must have 1 to 255 printable ASCII characters and no spaces.",
  });
}

/** A run of a key that was never set in motion so long after it was created was left behind; milliseconds. */
const startLateAfter = 5_000;

/** The routes by which runs are created, found and removed. */
export function runRoutes(deps: AppDeps): Route[] {
  const { store, now } = deps;

  async function create(body: NewRunBody, claim?: Claim): Promise<string> {
    const options: RunOptions = body.options;
    return createRun(store, {
      title: titleOf(body),
      plan: "write",
      options,
      guideline: body.guideline,
      author: "person",
      async fill({ runId }) {
        await claim?.(runId);
        return undefined;
      },
    });
  }

  /** Whether a replayed request must do what the first one did not come to. */
  async function wasLeft(runId: string): Promise<boolean> {
    const { status, created_at } = await summariseRun(store, runId);
    return status === "queued" && now().getTime() - Date.parse(created_at) > startLateAfter;
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
        "Idempotency-Key": "The same key with the same body answers the same run; with another body, 409.",
      },
      body: newRunSchema,
      answers: {
        201: { description: "The run.", schema: runSchema, headers: { Location: "Its address." } },
      },
      problems: [409],
      async handle({ body, request, reply, signal }) {
        const key = idempotencyKey(request.headers["idempotency-key"]);
        // Found out before there is a run that nobody would learn of.
        if (body.start) await reaching(deps.events.position("readiness"));
        const { runId, replayed } =
          key === null
            ? { runId: await create(body), replayed: false }
            : await createOnce(
                { store, now, principal: request.principal, key, request: JSON.stringify(body), signal },
                (claim) => create(body, claim),
              );
        if (body.start && (!replayed || (await wasLeft(runId)))) await startRun(deps, runId);
        if (replayed) reply.header("idempotency-replayed", "true");
        return reply
          .code(201)
          .header("location", `/v1/runs/${runId}`)
          .send(await describeRun(store, runId));
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
      async handle({ query, signal }) {
        const before = query.cursor === undefined ? null : decodeCursor(query.cursor);
        const ids: string[] = [];
        for await (const id of listRuns(store, signal)) if (before === null || id < before) ids.push(id);
        const page = ids.slice(-query.limit).reverse();
        const runs = await Promise.all(
          page.map((id) => summariseRun(store, id).catch((error) => leftOut(id, error))),
        );
        const last = page.at(-1);
        return {
          runs: runs.filter((run) => run !== null),
          next_cursor: ids.length > page.length && last !== undefined ? encodeCursor(last) : null,
        };
      },
    }),
    route({
      method: "GET",
      path: "/v1/runs/{run_id}",
      id: "getRun",
      tag: "runs",
      summary: "Look at a run",
      params: runParams,
      answers: { 200: { description: "The run and its steps.", schema: runSchema } },
      problems: [404],
      async handle({ params }) {
        await requireRun(store, params.run_id);
        return describeRun(store, params.run_id);
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/runs/{run_id}",
      id: "deleteRun",
      tag: "runs",
      summary: "Remove a run",
      description:
        "Cancels it if it moves, then removes everything that is stored of it. It cannot be undone.",
      params: runParams,
      answers: { 204: { description: "It is gone." } },
      problems: [404],
      async handle({ params, reply }) {
        const { run_id } = await requireRun(store, params.run_id);
        await reaching(cancelRun(deps, run_id));
        await removeRun(store, run_id);
        return reply.code(204).send();
      },
    }),
  ];

  /** A run that was removed while the page was made is left out of it, and so is one whose records are damaged. */
  function leftOut(runId: string, error: unknown): null {
    if (isProofroomError(error) && error.code !== "not_found") throw error;
    if (!isProofroomError(error)) deps.log.warn({ run_id: runId }, "the records of a run cannot be read");
    return null;
  }
}
