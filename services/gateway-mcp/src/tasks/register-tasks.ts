import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequests,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { guarded } from "../protocol/guarded.ts";
import { wrapHandler } from "../protocol/wrap-handler.ts";

// The Tasks extension of revision 2026-07-28 (SEP-2663). The SDK has no server for it: its tools/call handler cannot answer with a task.

export const tasksExtension = "io.modelcontextprotocol/tasks";

/** What a client is told of a task whatever its status. */
export interface Task {
  taskId: string;
  statusMessage?: string;
  /** In ISO 8601. */
  createdAt: string;
  lastUpdatedAt: string;
  /** For how long it can be asked for, in milliseconds; null is for ever. */
  ttlMs: number | null;
  /** How often a client should ask, in milliseconds. */
  pollIntervalMs: number;
}

/** How a task stands, with what that brings along. A tool's error is a result: a task fails by an error of JSON-RPC alone. */
export type TaskState =
  | { status: "working" | "cancelled" }
  | { status: "input_required"; inputRequests: InputRequests }
  | { status: "completed"; result: CallToolResult }
  | { status: "failed"; error: { code: number; message: string } };

/** Where tasks of one kind are made and found again. Whatever it is asked about may be another's. */
export interface TaskSource {
  /** Tools whose calls nothing but a task can answer: other clients are refused. */
  readonly taskOnly?: ReadonlySet<string>;
  /**
   * Answers the call of a client that takes tasks: with one that can be found from now on, or with the result where it is known
   * already. Undefined leaves the call to others, at last to the tool itself, which may ask for something first.
   */
  begin(
    call: CallToolRequest["params"],
    context: ServerContext,
  ): Promise<{ task: Task } | { result: CallToolResult } | undefined>;
  /** Undefined where there is no such task. */
  find(taskId: string): Promise<(Task & TaskState) | undefined>;
  /** Asks for its end; whether there is such a task. One that has ended stays as it is. */
  cancel(taskId: string): Promise<boolean>;
  /** Takes answers to what a task asks for, all or some, and lets go by what it does not ask; whether there is such a task. */
  update(taskId: string, answers: Readonly<Record<string, unknown>>): Promise<boolean>;
}

/** What a request says of its client. */
const envelopeSchema = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ extensions: z.record(z.string(), z.unknown()) }),
});

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

/**
 * Offers the extension on a server of the modern era: a client that declares it gets a task for every call that a source
 * begins one for; the sources are asked in their order. Call it after all tools are registered.
 */
export function registerTasks(server: McpServer, sources: readonly TaskSource[]): void {
  async function first<T>(ask: (source: TaskSource) => Promise<T | undefined>): Promise<T | undefined> {
    for (const source of sources) {
      const answer = await ask(source);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  wrapHandler<CallToolRequest>(server, "tools/call", (ordinary) => async (request, context) => {
    const { params } = request;
    if (sources.some(({ taskOnly }) => taskOnly?.has(params.name) === true)) assertDeclared(context);
    if (!declaresTasks(context)) return ordinary(request, context);
    const begun = await guarded(first((source) => source.begin(params, context)));
    if (begun === undefined) return ordinary(request, context);
    return "task" in begun ? { resultType: "task", status: "working", ...begun.task } : begun.result;
  });

  /** Answers a method of the extension by the source that has the task. */
  const onTask = (
    method: string,
    answer: (source: TaskSource, taskId: string, context: ServerContext) => Promise<object | undefined>,
  ) =>
    server.server.setRequestHandler(method, { params: taskParams }, async ({ taskId }, context) => {
      assertDeclared(context);
      const answered = await guarded(first((source) => answer(source, taskId, context)));
      if (answered !== undefined) return { ...answered };
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such task.");
    });

  onTask("tasks/get", async (source, taskId) => {
    const task = await source.find(taskId);
    return task?.status === "completed"
      ? { ...task, result: { resultType: "complete", ...task.result } }
      : task;
  });
  onTask("tasks/cancel", async (source, taskId) => ((await source.cancel(taskId)) ? {} : undefined));
  // The SDK takes the answers out of the params.
  onTask("tasks/update", async (source, taskId, { mcpReq }) =>
    (await source.update(taskId, mcpReq.inputResponses ?? {})) ? {} : undefined,
  );
}
