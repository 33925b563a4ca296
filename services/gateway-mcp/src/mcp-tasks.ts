import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isProofroomError } from "@proofroom/contracts";
import { cancelRun, type JobDescription, parseJobId } from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";
import { z } from "zod";
import type { GatewayDeps } from "./gateway-deps.ts";
import { jobAnswer } from "./jobs/job-answer.ts";
import { findJob, isUnfinished, lookAtJob } from "./jobs/look-at-job.ts";
import { guarded } from "./mcp-errors.ts";
import { toResult } from "./mcp-tool.ts";
import { errorAnswer, parseArguments } from "./tools/call-tool.ts";
import type { Tool } from "./tools/tool.ts";

// The Tasks extension of revision 2026-07-28 (SEP-2663). The SDK has no server for it: its tools/call handler cannot answer with a
// task, so the stored one is wrapped. That reaches into @modelcontextprotocol/server 2.4.0, which is why its version is pinned.

export const tasksExtension = "io.modelcontextprotocol/tasks";

/** How often a client should ask, in milliseconds. */
const pollIntervalMs = 1_000;

type CallHandler = (request: CallRequest, context: ServerContext) => Promise<unknown>;
interface CallRequest {
  params: { name: string; arguments?: unknown };
}

/** What a request says of its client. */
const envelopeSchema = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ extensions: z.record(z.string(), z.unknown()) }),
});

type Answer = (deps: GatewayDeps, job: JobDescription) => Promise<Record<string, unknown>>;

const taskParams = z.object({ taskId: z.string().max(200) });

function declaresTasks(context: ServerContext): boolean {
  const envelope = envelopeSchema.safeParse(context.mcpReq.envelope);
  return envelope.data?.[CLIENT_CAPABILITIES_META_KEY].extensions[tasksExtension] !== undefined;
}

function assertDeclared(context: ServerContext): void {
  if (declaresTasks(context)) return;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  });
}

/** When a job was first and last heard of; one that no worker has begun counts from the making of its run. */
async function timesOf(deps: GatewayDeps, job: JobDescription) {
  const { runId, stepId, generation } = parseJobId(job.job_id);
  const ledger = openLedger(deps.store, runId);
  const step = { stepId, generation };
  const attempts = await ledger.attempts(step);
  const createdAt = attempts[0]?.at ?? (await ledger.manifest()).created_at;
  const finishedAt = (await ledger.record(step))?.finished_at;
  return { createdAt, lastUpdatedAt: finishedAt ?? attempts.at(-1)?.at ?? createdAt };
}

/** A job as a task. A job that failed is a task that completed with an error as its result. */
async function taskOf(deps: GatewayDeps, job: JobDescription) {
  const ended = job.status === "succeeded" || job.status === "failed";
  return {
    taskId: job.job_id,
    status: ended ? "completed" : job.status === "cancelled" ? "cancelled" : "working",
    statusMessage: `${job.capability}: ${job.status}`,
    ...(await timesOf(deps, job)),
    // A result stands in the store for as long as its run.
    ttlMs: null,
    pollIntervalMs,
  };
}

async function createTask(tool: Tool, args: unknown, deps: GatewayDeps): Promise<unknown> {
  const called = await tool.start?.(parseArguments(tool, args), deps);
  if (called === undefined) throw new Error(`${tool.name} starts no job`);
  const job = await lookAtJob(deps.store, called);
  if (!isUnfinished(job)) return toResult(jobAnswer(job));
  return { resultType: "task", ...(await taskOf(deps, job)) };
}

async function jobOfTask(deps: GatewayDeps, taskId: string): Promise<JobDescription> {
  try {
    return await findJob(deps.store, taskId);
  } catch (error) {
    if (!isProofroomError(error) || error.code !== "not_found") throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such task.");
  }
}

/** The answer of an ordinary call, as it stands within a completed task. */
function innerResult(job: JobDescription): CallToolResult & { resultType: string } {
  return { resultType: "complete", ...toResult(jobAnswer(job)) };
}

/**
 * Offers the extension on a server of the modern era: a client that declares it gets a task for every call whose
 * work is a job. The handle is given out only when the queue has the job. Call it after all tools are registered.
 */
export function registerTasks(
  server: McpServer,
  tools: ReadonlyMap<string, Tool>,
  open: () => Promise<GatewayDeps>,
): void {
  const { _requestHandlers: handlers } = server.server as unknown as {
    _requestHandlers: Map<string, CallHandler>;
  };
  const ordinary = handlers.get("tools/call");
  // A server without tools has no such handler.
  if (ordinary === undefined) return;
  handlers.set("tools/call", async (request, context) => {
    const tool = tools.get(request.params.name);
    if (tool?.start === undefined || !declaresTasks(context)) return ordinary(request, context);
    try {
      return await createTask(tool, request.params.arguments, await open());
    } catch (error) {
      return toResult(errorAnswer(error));
    }
  });

  /** Answers a method of the extension about the job of a task. */
  const onTask = (method: string, answer: Answer) =>
    server.server.setRequestHandler(method, { params: taskParams }, ({ taskId }, context) => {
      assertDeclared(context);
      return guarded(open().then(async (deps) => answer(deps, await jobOfTask(deps, taskId))));
    });

  onTask("tasks/get", async (deps, job) => {
    const task = await taskOf(deps, job);
    return task.status === "completed" ? { ...task, result: innerResult(job) } : task;
  });

  onTask("tasks/cancel", async (deps, job) => {
    if (isUnfinished(job)) await cancelRun(deps, job.run_id);
    return {};
  });

  // No task ever asks for input; an answer to nothing is acknowledged, as the extension says.
  onTask("tasks/update", async () => ({}));
}
