import { randomUUID } from "node:crypto";
import {
  acceptedContent,
  type InputRequests,
  inputRequired,
  type McpServer,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Task, TaskSource, TaskState } from "../tasks/register-tasks.ts";
import { askConfirmation, askName, done, named, type State } from "./questions.ts";

// Tasks that no job of the product is: they ask their client for something while they are at work, or fail by an error of
// the protocol. They show that the gateway lets that through, and are kept in memory.

/** Work that has asked for this, and how it ends when everything is there. */
interface Work {
  asks: InputRequests;
  end: TaskState;
}

function completed(text: string): TaskState {
  return { status: "completed", result: done(text) };
}

const works: Readonly<Record<string, Work>> = {
  confirm_delete: { asks: { confirm: askConfirmation }, end: completed("Confirmed.") },
  multi_input: { asks: { name: askName, confirm: askConfirmation }, end: completed("Both are there.") },
  protocol_error_job: {
    asks: {},
    end: { status: "failed", error: { code: ProtocolErrorCode.InternalError, message: "It broke." } },
  },
};

/** Asks its caller before it becomes a task. */
const askingFirst = "test_tool_with_task";

/** The work of a call that has brought its answer, with the state that went out with the question. */
async function answered({ mcpReq }: ServerContext, isOurs: (state: unknown) => Promise<boolean>) {
  const answer = acceptedContent(mcpReq.inputResponses, "user_name", named);
  if (answer === undefined || !(await isOurs(mcpReq.requestState()))) return undefined;
  return { asks: {}, end: completed(`Hello, ${answer.name}!`) };
}

/** Keeps work as tasks. */
function createTaskKeeper() {
  const kept = new Map<string, { task: Task; work: Work }>();

  function keep(work: Work): Task {
    const now = new Date().toISOString();
    const task = {
      taskId: randomUUID(),
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: null,
      pollIntervalMs: 50,
    };
    kept.set(task.taskId, { task, work });
    return task;
  }

  function stateOf({ asks, end }: Work): TaskState {
    return Object.keys(asks).length === 0 ? end : { status: "input_required", inputRequests: asks };
  }

  return {
    keep,
    async find(taskId: string) {
      const found = kept.get(taskId);
      return found && { ...found.task, ...stateOf(found.work) };
    },
    async cancel(taskId: string) {
      const found = kept.get(taskId);
      if (found === undefined) return false;
      if (Object.keys(found.work.asks).length > 0) found.work = { asks: {}, end: { status: "cancelled" } };
      return true;
    },
    async update(taskId: string, answers: Readonly<Record<string, unknown>>) {
      const found = kept.get(taskId);
      if (found === undefined) return false;
      const { asks, end } = found.work;
      const open = Object.entries(asks).filter(([key]) => acceptedContent(answers, key) === undefined);
      found.work = { asks: Object.fromEntries(open), end };
      return true;
    },
  };
}

/** The source of such tasks, and the tools whose calls begin them. */
export function askingTasks(state: State): { source: TaskSource; register(server: McpServer): void } {
  const { keep, ...tasks } = createTaskKeeper();
  const isOurs = async (given: unknown, context: ServerContext) =>
    typeof given === "string" &&
    state.verify(given, context).then(
      () => true,
      () => false,
    );
  return {
    source: {
      ...tasks,
      taskOnly: new Set([...Object.keys(works), askingFirst, "failing_job"]),
      async begin({ name }, context) {
        // A call without an answer, or with a state that is not ours, is left to the tool: it asks, or is refused.
        const work =
          name === askingFirst ? await answered(context, (given) => isOurs(given, context)) : works[name];
        return work && { task: keep(work) };
      },
    },
    register(server) {
      const inputSchema = z.object({});
      server.registerTool(askingFirst, { description: askingFirst, inputSchema }, async () =>
        inputRequired({
          inputRequests: { user_name: askName },
          requestState: await state.mint({ round: 1 }),
        }),
      );
      for (const name of Object.keys(works)) {
        server.registerTool(name, { description: name, inputSchema }, () => {
          throw new Error("Revisions without tasks cannot call it.");
        });
      }
    },
  };
}
