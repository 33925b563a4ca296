import { setTimeout as pause } from "node:timers/promises";
import type { Answer, Peer } from "./clients.ts";
import { askModern } from "./wire.ts";

/** What a client says that takes tasks. */
export const tasksExtensions = { "io.modelcontextprotocol/tasks": {} };

/** How often it asks, in milliseconds. */
const askEvery = 50;

/** A client of 2026-07-28 that takes tasks and follows them to their results. */
export function connectTasks(url: string): Peer & { readonly tasksTaken: number } {
  let tasksTaken = 0;

  async function ask(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { result, error } = await askModern(url, method, params, { extensions: tasksExtensions });
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  return {
    get tasksTaken() {
      return tasksTaken;
    },
    async call(name, args) {
      let current = await ask("tools/call", { name, arguments: args });
      if (current["resultType"] !== "task") return current as unknown as Answer;
      tasksTaken += 1;
      const { taskId } = current;
      while (current["status"] === "working") {
        await pause(askEvery);
        current = await ask("tasks/get", { taskId });
      }
      return current["result"] as Answer;
    },
    async prompt(name, args) {
      const found = await ask("prompts/get", { name, arguments: args });
      return (found["messages"] as { content: { text: string } }[])
        .map(({ content }) => content.text)
        .join("\n");
    },
    async read(uri) {
      const found = await ask("resources/read", { uri });
      return (found["contents"] as { text?: string }[]).map(({ text }) => text ?? "").join("");
    },
    async tools() {
      return ((await ask("tools/list", {}))["tools"] as { name: string }[]).map(({ name }) => name);
    },
    close: async () => undefined,
  };
}
