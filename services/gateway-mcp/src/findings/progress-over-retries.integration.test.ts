import { PassThrough } from "node:stream";
import { ProofroomError } from "@proofroom/contracts";
import type { AnyHandler } from "@proofroom/runtime";
import { silentLogger } from "@proofroom/telemetry";
import {
  allMessages,
  eventually,
  type McpMessage,
  messagesOf,
  openTestPlace,
  postMcp,
  type TestPlace,
} from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { HttpGateway } from "../http/gateway.ts";
import { serveStdioGateway } from "../stdio/stdio-gateway.ts";
import { openTestDeps, startFakeWorkers } from "../testing/fake-workers.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

let place: TestPlace;
let replicas: HttpGateway[];

beforeEach(async () => {
  place = await openTestPlace();
  replicas = [await startTestGateway(place), await startTestGateway(place)];
  place.closing(...replicas.map((one) => () => one.close(100)));
});

afterEach(() => place.close());

function work(verify_citations: AnyHandler): void {
  const workers = startFakeWorkers({ ...place, handlers: { verify_citations } });
  place.closing(() => workers.close());
}

function request(id: number, name: string, args: Record<string, unknown>, token?: string) {
  const meta = token === undefined ? {} : { _meta: { progressToken: token } };
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, ...meta } };
}

function post(at: 0 | 1, body: unknown): Promise<Response> {
  return postMcp(replicas[at]?.url ?? "", body, { "mcp-protocol-version": "2025-11-25" });
}

async function newRun(): Promise<string> {
  const made = await allMessages(await post(0, request(1, "create_run", { guideline: "# t\n" })));
  return String(made.at(-1)?.result?.structuredContent?.["run_id"]);
}

const output = {
  sentences: 1,
  cited: 1,
  supported: 1,
  uncertain: 0,
  unsupported: 0,
  unresolved: 0,
  uncited: 0,
  article_sha256: "0".repeat(64),
  artifact: ".nova/citations.json",
};

/** The progress that a client was told, with the tokens; what comes last must be the answer. */
function toldBefore(messages: readonly McpMessage[]): { token: unknown; progress: number | undefined }[] {
  expect(messages.at(-1)?.result?.structuredContent).toMatchObject({ status: "succeeded" });
  return messages
    .slice(0, -1)
    .map(({ params }) => ({ token: params?.progressToken, progress: params?.progress }));
}

// Progress that falls back, since an attempt begins anew or another replica counts, is refused by clients.
it("progress rises for each request, at whichever replica, though the work itself begins again", async () => {
  const heardBoth = Promise.withResolvers<void>();
  let attempts = 0;
  work(async (_input: never, { progress }) => {
    attempts += 1;
    progress({ done: attempts === 1 ? 9 : 1, total: 10 });
    if (attempts === 1)
      throw new ProofroomError({
        code: "unreachable",
        message: "once",
        disposition: { kind: "retry_after", delayMs: 10 },
      });
    await heardBoth.promise;
    return output;
  });
  const run_id = await newRun();
  const first = await post(0, request(2, "verify_citations", { run_id }, "first"));
  const heard: McpMessage[] = [];
  const asking = (async () => {
    for await (const message of messagesOf(first)) heard.push(message);
  })();
  await eventually(() => attempts === 2 && heard.length > 0);
  const job_id = `${run_id}-verify_citations-g1`;
  const second = messagesOf(await post(1, request(3, "job_wait", { job_id }, "second")));
  const others = [(await second.next()).value ?? {}];
  heardBoth.resolve();
  for await (const message of second) others.push(message);
  await asking;
  for (const [messages, token] of [
    [heard, "first"],
    [others, "second"],
  ] as const) {
    const told = toldBefore(messages);
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual(told.map((_, at) => ({ token, progress: at + 1 })));
  }
  expect(attempts).toBe(2);
});

// A notice of progress that follows its answer ends the connection of some clients over stdio.
it("over stdio nothing follows an answer, though the work reports progress until it ends", async () => {
  work(async (_input: never, { progress }) => {
    for (let done = 1; done <= 50; done += 1) progress({ done, total: 50 });
    return output;
  });
  const run_id = await newRun();
  const { deps, close } = openTestDeps(place);
  const [input, out] = [new PassThrough(), new PassThrough({ encoding: "utf8" })];
  const gateway = serveStdioGateway({ open: async () => deps, log: silentLogger(), input, output: out });
  place.closing(close, () => gateway.close(0));
  const messages: (McpMessage & { id?: number })[] = [];
  let rest = "";
  out.on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    messages.push(...lines.map((line) => JSON.parse(line)));
  });
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  };
  input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: initialize })}\n`);
  const calls = Array.from({ length: 20 }, (_, at) => at + 1);
  for (const id of calls) {
    const call = request(id, "verify_citations", { run_id, force: true }, `token of ${id}`);
    input.write(`${JSON.stringify(call)}\n`);
    await eventually(() => messages.some((message) => message.id === id));
  }
  for (const id of calls) {
    const answered = messages.findIndex((message) => message.id === id);
    const told = messages.flatMap(({ params }, at) => (params?.progressToken === `token of ${id}` ? at : []));
    expect(told.length).toBeGreaterThan(0);
    expect(Math.max(...told)).toBeLessThan(answered);
  }
});
