import { PassThrough } from "node:stream";
import { silentLogger } from "@proofroom/telemetry";
import { eventually, mcpEnvelope } from "@proofroom/testing";
import { expect, it } from "vitest";
import { serveStdioGateway } from "../stdio.ts";

it("a subscription that cannot begin yet is acknowledged, and holds up nothing else on the connection", async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: "utf8" })];
  const open = () => new Promise<never>(() => undefined);
  const gateway = serveStdioGateway({ open, log: silentLogger(), input, output });
  const send = (id: number, method: string, params: Record<string, unknown> = {}) =>
    input.write(
      `${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: mcpEnvelope } })}\n`,
    );
  let heard = "";
  output.on("data", (chunk) => {
    heard += chunk;
  });
  const messages = () => heard.split("\n").filter((line) => line !== "");
  send(1, "subscriptions/listen", { notifications: { resourcesListChanged: true } });
  send(2, "tools/list");
  await eventually(() => messages().length === 2);
  const [acknowledged, listed] = messages().map((line) => JSON.parse(line));
  expect(acknowledged).toMatchObject({
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { resourcesListChanged: true } },
  });
  expect(listed).toMatchObject({ id: 2, result: { tools: expect.any(Array) } });
  await gateway.close(0);
});
