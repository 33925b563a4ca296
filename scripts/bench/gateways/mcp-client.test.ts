import { expect, test } from "vitest";
import type { HttpClient, HttpRequest } from "./http-client.ts";
import { callTool } from "./mcp-client.ts";

/** A server that gives one answer, and what it was asked. */
function server(status: number, text: string) {
  const asked: HttpRequest[] = [];
  const http: HttpClient = {
    async send(request) {
      asked.push(request);
      return { status, text, ms: 1 };
    },
    close: () => undefined,
  };
  return { http, asked };
}

const result = { structuredContent: { status: "succeeded" } };
const message = JSON.stringify({ jsonrpc: "2.0", id: 1, result });
const progress = JSON.stringify({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progress: 1 },
});

test.each([
  ["one body", message],
  ["a stream", `event: message\ndata: ${message}\n\n`],
  [
    "a stream with progress before it",
    `event: message\ndata: ${progress}\n\nevent: message\ndata: ${message}\n\n`,
  ],
])("the result is read from %s", async (_form, text) => {
  const { http } = server(200, text);
  expect(await callTool(http, "http://one/mcp", "modern", "job_get", {})).toEqual({ ms: 1, result });
});

test.each([
  ["503", 503, ""],
  ["ECONNRESET", 0, "ECONNRESET"],
  ["JSON-RPC -32602", 200, JSON.stringify({ error: { code: -32_602 } })],
  ["tool error", 200, JSON.stringify({ result: { isError: true } })],
])("%s is no result", async (error, status, text) => {
  const { http } = server(status, text);
  expect(await callTool(http, "http://one/mcp", "legacy", "job_get", {})).toEqual({
    ms: 1,
    result: null,
    error,
  });
});

test("a token and the extension are told in the way of each era", async () => {
  const { http, asked } = server(200, message);
  await callTool(http, "http://one/mcp", "legacy", "job_get", {}, { token: "t" });
  await callTool(http, "http://one/mcp", "modern", "job_get", {}, { token: "t", tasks: true });
  const params = asked.map(({ body }) => (body as { params: Record<string, unknown> }).params);
  expect(params[0]?.["_meta"]).toEqual({ progressToken: "t" });
  expect(params[1]?.["_meta"]).toMatchObject({
    progressToken: "t",
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  });
  expect(asked.map(({ headers }) => headers?.["mcp-protocol-version"])).toEqual(["2025-11-25", "2026-07-28"]);
});
