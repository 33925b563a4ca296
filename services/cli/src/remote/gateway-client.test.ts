import type { IncomingMessage, ServerResponse } from "node:http";
import { Secret } from "@proofroom/config";
import type { RunEvent } from "@proofroom/contracts";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeGateway, startFakeGateway } from "../testing/fake-gateway.ts";
import { remoteRun } from "../testing/remote-run.ts";
import { followRemote } from "./follow-remote.ts";
import { createGatewayClient } from "./gateway-client.ts";

const runId = "run_01J8ZZZZZZZZZZZZZZZZZZZZZZ";
const gateways: FakeGateway[] = [];

afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
});

async function gateway(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const started = await startFakeGateway(answer);
  gateways.push(started);
  const { signal } = new AbortController();
  const client = createGatewayClient({ address: started.address, apiKey: new Secret("the-key"), signal });
  return { ...started, client };
}

const run = (status: string) => JSON.stringify(remoteRun(runId, status));

describe("a gateway", () => {
  it("that asks for patience is asked again", async () => {
    let refusals = 1;
    const { client, asked } = await gateway((_request, response) => {
      refusals -= 1;
      if (refusals === 0) response.writeHead(429, { "retry-after": "0" }).end();
      else response.end(run("running"));
    });
    expect((await client.run(runId)).status).toBe("running");
    expect(asked).toHaveLength(2);
  });

  it("that sends elsewhere is not followed, and no other is shown the key", async () => {
    const shown: (string | undefined)[] = [];
    const other = await gateway((request, response) => {
      shown.push(request.headers.authorization);
      response.end(run("running"));
    });
    const { client } = await gateway((_request, response) => {
      response.writeHead(307, { location: `${other.address.href}v1/runs/${runId}` }).end();
    });
    await expect(client.run(runId)).rejects.toMatchObject({ code: "dependency_down" });
    expect(shown).toEqual([]);
  });

  it.each([
    [401, { code: "unauthorized", detail: "An API key is needed." }, "not_configured"],
    [404, { code: "not_found", detail: "There is no such run." }, "not_found"],
    [409, { code: "conflict", detail: "It has been started.", remedy: "Make another." }, "conflict"],
    [418, { code: "of_a_later_version", detail: "No." }, "internal"],
    [502, "<html>", "dependency_down"],
  ])("that refuses with %i is told of as what it means", async (status, body, code) => {
    const { client } = await gateway((_request, response) => {
      response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
    });
    await expect(client.run(runId)).rejects.toMatchObject({ name: "ProofroomError", code });
  });
});

it("a run is followed over lost connections, from the event after the last one", async () => {
  const event = (id: string) => ({
    v: 1,
    id,
    at: "2026-01-05T09:00:00.000Z",
    run_id: runId,
    type: "step.started",
  });
  const frame = (id: string) => `id: ${id}\nevent: step.started\ndata: ${JSON.stringify(event(id))}\n\n`;
  const positions: unknown[] = [];
  const { client } = await gateway((request, response) => {
    if (!request.url?.endsWith("/events")) return void response.end(run("succeeded"));
    positions.push(request.headers["last-event-id"]);
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (positions.length > 1) return void response.end(frame("2-0"));
    response.write(frame("1-0"), () => request.socket.resetAndDestroy());
  });
  const shown: string[] = [];
  const notes: string[] = [];
  const ended = await followRemote({
    client,
    runId,
    view: { show: ({ id }: RunEvent) => void shown.push(id), close: () => undefined },
    signal: new AbortController().signal,
    typed: (command) => `proofroom ${command}`,
    note: (line) => notes.push(line),
  });
  expect(ended.status).toBe("succeeded");
  expect(shown).toEqual(["1-0", "2-0"]);
  expect(positions).toEqual([undefined, "1-0"]);
  expect(notes).toHaveLength(1);
});
