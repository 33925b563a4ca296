import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { type McpMessage, mcpEnvelope, modernMcpVersion } from "@proofroom/testing";
import { expect, it } from "vitest";
import { z } from "zod";
import {
  registerTasks,
  type Task,
  type TaskSource,
  type TaskState,
  tasksExtension,
} from "./register-tasks.ts";

const now = new Date(0).toISOString();
const task: Task = { taskId: "1", createdAt: now, lastUpdatedAt: now, ttlMs: null, pollIntervalMs: 5 };
const extensions = { [tasksExtension]: {} };

/** A source with one task, of the calls of `work`. */
function sourceOf(state: TaskState): TaskSource & { updates: unknown[]; cancelled: string[] } {
  const updates: unknown[] = [];
  const cancelled: string[] = [];
  return {
    updates,
    cancelled,
    begin: async ({ name }) => (name === "work" ? { task } : undefined),
    find: async (taskId) => (taskId === task.taskId ? { ...task, ...state } : undefined),
    async cancel(taskId) {
      if (taskId === task.taskId) cancelled.push(taskId);
      return taskId === task.taskId;
    },
    async update(taskId, answers) {
      updates.push(answers);
      return taskId === task.taskId;
    },
  };
}

/** A source that has nothing. */
const nothing: TaskSource = {
  begin: async () => undefined,
  find: async () => undefined,
  cancel: async () => false,
  update: async () => false,
};

function serverOf(...sources: TaskSource[]) {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "test", version: "1" }, { capabilities: { tools: {}, extensions } });
    const schema = { inputSchema: z.object({}) };
    server.registerTool("work", schema, () => ({ content: [{ type: "text", text: "ordinary" }] }));
    server.registerTool("ask", schema, () => inputRequired({ requestState: "asked" }));
    registerTasks(server, sources);
    return server;
  });
  return async (method: string, params: Record<string, unknown>, declares = true) => {
    const capabilities = declares ? { extensions } : {};
    const meta = { ...mcpEnvelope, "io.modelcontextprotocol/clientCapabilities": capabilities };
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": modernMcpVersion,
        "mcp-method": method,
        "mcp-name": String(params["name"] ?? params["taskId"]),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    });
    return (await (await handler.fetch(request)).json()) as McpMessage;
  };
}

const working = () => sourceOf({ status: "working" });
const call = (name: string) => ["tools/call", { name, arguments: {} }] as const;

it("a call is a task where a source begins one, and else what the tool says", async () => {
  const ask = serverOf(nothing, working());
  const begun = await ask(...call("work"));
  expect(begun.result).toMatchObject({ resultType: "task", status: "working", ...task });
  expect(begun.result).not.toHaveProperty("content");
  // What a tool asks before its work begins reaches the client.
  const asked = await ask(...call("ask"));
  expect(asked.result).toMatchObject({ resultType: "input_required", requestState: "asked" });
});

it("a client that takes no tasks gets the tool's own answer, or is told what a tool needs that is a task alone", async () => {
  const ordinary = await serverOf(working())(...call("work"), false);
  expect(ordinary.result).toMatchObject({ resultType: "complete", content: [{ text: "ordinary" }] });
  const only = { ...working(), taskOnly: new Set(["work"]) };
  const refused = await serverOf(nothing, only)(...call("work"), false);
  expect(refused.error).toMatchObject({ code: -32_021, data: { requiredCapabilities: { extensions } } });
  expect((await serverOf(only)(...call("work"))).result).toMatchObject({ resultType: "task" });
});

it.each<TaskState>([
  { status: "cancelled" },
  { status: "input_required", inputRequests: { key: { method: "roots/list" } } },
  { status: "failed", error: { code: -32_603, message: "It broke." } },
])("tasks/get tells a task that is $status with what that brings along", async (state) => {
  const got = await serverOf(nothing, sourceOf(state))("tasks/get", { taskId: "1" });
  expect(got.result).toMatchObject({ resultType: "complete", ...task, ...state });
});

it("tasks/get has the result of a completed task, whole as of an ordinary call", async () => {
  const result = { content: [{ type: "text" as const, text: "done" }] };
  const got = await serverOf(sourceOf({ status: "completed", result }))("tasks/get", { taskId: "1" });
  expect(got.result).toMatchObject({ status: "completed", result: { resultType: "complete", ...result } });
});

it("tasks/update and tasks/cancel reach the source of the task, with the answers, and are acknowledged alone", async () => {
  const source = working();
  const ask = serverOf(nothing, source);
  const answer = { action: "accept", content: { name: "n" } };
  const updated = await ask("tasks/update", { taskId: "1", inputResponses: { key: answer } });
  expect(source.updates).toEqual([{ key: answer }]);
  const cancelled = await ask("tasks/cancel", { taskId: "1" });
  expect(source.cancelled).toEqual(["1"]);
  for (const { result } of [updated, cancelled]) {
    expect(result).toMatchObject({ resultType: "complete" });
    for (const key of ["taskId", "status"]) expect(result).not.toHaveProperty(key);
  }
});

it.each(["tasks/get", "tasks/update", "tasks/cancel"])(
  "%s of what no source has is refused",
  async (method) => {
    const refused = await serverOf(nothing, working())(method, { taskId: "2" });
    expect(refused.error).toMatchObject({ code: -32_602 });
  },
);
