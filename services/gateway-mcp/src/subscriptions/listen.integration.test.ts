import type { EventLog } from "@proofroom/queue";
import {
  eventually,
  type McpMessage,
  mcpEnvelope,
  messagesOf,
  modernMcpVersion,
  openTestPlace,
  postMcp,
  type TestPlace,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HttpGateway } from "../http/gateway.ts";
import { openTestDeps, startFakeWorkers } from "../testing/fake-workers.ts";
import { apiKeyOf, startTestGateway } from "../testing/start-test-gateway.ts";

const keys = { ours: "key-of-ours", theirs: "key-of-theirs" };
let place: TestPlace;
let replicas: HttpGateway[];
/** Of everything that was followed: it aborts when that ends. */
const following: AbortSignal[] = [];

beforeEach(async () => {
  place = await openTestPlace();
  following.length = 0;
  replicas = [await replica(), await replica()];
});

afterEach(() => place.close());

async function replica(): Promise<HttpGateway> {
  const { deps: opened, close } = openTestDeps(place);
  const events: EventLog = {
    ...opened.events,
    follow(name, after, signal) {
      following.push(signal);
      return opened.events.follow(name, after, signal);
    },
  };
  const deps = { ...opened, events };
  const apiKeys = Object.entries(keys).map(([tenant, key]) => apiKeyOf(tenant, key));
  const gateway = await startTestGateway(place, { deps, apiKeys });
  place.closing(close, () => gateway.close(100));
  return gateway;
}

function url(at: 0 | 1): string {
  return replicas[at]?.url ?? "";
}

function ask(
  at: 0 | 1,
  method: string,
  params: Record<string, unknown>,
  key = keys.ours,
  signal: AbortSignal | null = null,
) {
  const body = { jsonrpc: "2.0", id: 7, method, params: { ...params, _meta: mcpEnvelope } };
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": modernMcpVersion,
    "mcp-method": method,
    "mcp-name": String(params["name"] ?? ""),
    authorization: `Bearer ${key}`,
  };
  return fetch(url(at), { method: "POST", body: JSON.stringify(body), headers, signal });
}

async function call(at: 0 | 1, name: string, args: Record<string, unknown>, key = keys.ours) {
  const messages = await Array.fromAsync(
    messagesOf(await ask(at, "tools/call", { name, arguments: args }, key)),
  );
  return messages.at(-1)?.result?.structuredContent ?? {};
}

async function newRun(key = keys.ours): Promise<string> {
  return String((await call(0, "create_run", { guideline: "# t\n" }, key))["run_id"]);
}

/** Opens a stream and waits for its acknowledgement; `heard` is what it tells after it. */
async function listen(at: 0 | 1, notifications: Record<string, unknown>, key = keys.ours) {
  const leaving = new AbortController();
  place.closing(async () => leaving.abort());
  const messages = messagesOf(await ask(at, "subscriptions/listen", { notifications }, key, leaving.signal));
  const acknowledged: McpMessage = (await messages.next()).value ?? {};
  const heard: McpMessage[] = [];
  const ended = (async () => {
    for await (const message of messages) heard.push(message);
  })().catch(() => undefined);
  const uris = () =>
    heard.flatMap(({ method, params }) =>
      method === "notifications/resources/updated" ? (params as { uri: string }).uri : [],
    );
  return {
    granted: (acknowledged.params as { notifications?: unknown } | undefined)?.notifications,
    acknowledged,
    heard,
    uris,
    ended,
    leave: () => leaving.abort(),
  };
}

describe("a stream of changes", () => {
  it("tells of what a worker and a caller at another replica write, and of nothing else", async () => {
    const [run_id, other] = [await newRun(), await newRun()];
    const wanted = [`run://${run_id}/.nova/citations.json`, `run://${run_id}/article.md`];
    const stream = await listen(1, { resourceSubscriptions: wanted });
    expect(stream.granted).toEqual({ resourceSubscriptions: wanted });
    const workers = startFakeWorkers(place);
    place.closing(() => workers.close());
    await call(0, "verify_citations", { run_id: other });
    await call(0, "put_artifact", { run_id, kind: "guideline", text: "# other\n" });
    await call(0, "put_artifact", { run_id, kind: "article", text: "# One\n" });
    await call(0, "verify_citations", { run_id });
    await eventually(() => stream.heard.length === 2);
    expect(stream.uris()).toEqual([...wanted].reverse());
    expect(stream.heard[0]?.params).toMatchObject({
      _meta: { "io.modelcontextprotocol/subscriptionId": 7 },
    });
  });

  it("tells of a new version once, and of the same text again not at all", async () => {
    const run_id = await newRun();
    const stream = await listen(0, { resourceSubscriptions: [`run://${run_id}/article.md`] });
    const put = (text: string) => call(1, "put_artifact", { run_id, kind: "article", text });
    for (const text of ["# One\n", "# One\n", "# Two\n"]) await put(text);
    await eventually(() => stream.heard.length === 2);
    await put("# Three\n");
    await eventually(() => stream.heard.length === 3);
  });

  it("tells that there is a new run, to the tenant whose it is alone", async () => {
    const stream = await listen(0, { resourcesListChanged: true, toolsListChanged: true });
    expect(stream.granted).toEqual({ resourcesListChanged: true });
    const foreign = await listen(0, { resourcesListChanged: true }, keys.theirs);
    await newRun();
    await eventually(() => stream.heard.length === 1);
    expect(stream.heard[0]).toMatchObject({ method: "notifications/resources/list_changed" });
    await newRun(keys.theirs);
    await eventually(() => foreign.heard.length === 1);
    expect(stream.heard).toHaveLength(1);
  });

  it("grants nothing of a run that is another's, just as of one that is not there", async () => {
    const [run_id, foreign] = [await newRun(), await newRun(keys.theirs)];
    const mine = `run://${run_id}/article.md`;
    const not = [
      `run://${foreign}/article.md`,
      `run://run_${"0".repeat(26)}/article.md`,
      "file:///etc/passwd",
      "x",
    ];
    const stream = await listen(0, { resourceSubscriptions: [...not, mine] });
    expect(stream.granted).toEqual({ resourceSubscriptions: [mine] });
    await call(0, "put_artifact", { run_id: foreign, kind: "article", text: "# t\n" }, keys.theirs);
    await call(0, "put_artifact", { run_id, kind: "article", text: "# t\n" });
    await eventually(() => stream.heard.length === 1);
    expect(stream.uris()).toEqual([mine]);
    const none = await listen(0, { resourceSubscriptions: not });
    await none.ended;
    expect(none.granted).toEqual({});
    expect(none.heard).toMatchObject([{ result: { resultType: "complete" } }]);
  });

  it("ends with its request", async () => {
    const run_id = await newRun();
    const wanted = { resourcesListChanged: true, resourceSubscriptions: [`run://${run_id}/article.md`] };
    const [left, kept] = [await listen(0, wanted), await listen(0, wanted)];
    await eventually(() => following.length === 4);
    left.leave();
    await eventually(() => following.filter(({ aborted }) => aborted).length === 2);
    await call(1, "put_artifact", { run_id, kind: "article", text: "# t\n" });
    await eventually(() => kept.heard.length === 1);
    expect(left.heard).toEqual([]);
  });

  it("is ended, as the protocol has it, by a replica that is told to end, at once", async () => {
    const run_id = await newRun();
    const stream = await listen(0, { resourceSubscriptions: [`run://${run_id}/article.md`] });
    await replicas[0]?.close(20_000);
    await stream.ended;
    expect(stream.heard).toMatchObject([{ id: 7, result: { resultType: "complete" } }]);
  });

  it("goes on after Redis was away", async () => {
    const run_id = await newRun();
    const stream = await listen(0, { resourceSubscriptions: [`run://${run_id}/article.md`] });
    await place.redis.kill();
    await place.redis.restart();
    let n = 0;
    await eventually(async () => {
      n += 1;
      await call(1, "put_artifact", { run_id, kind: "article", text: `# ${n}\n` });
      return stream.heard.length > 0;
    });
  });

  it("is refused while Redis is away, and where it would be about too much", async () => {
    const run_id = await newRun();
    const many = Array.from({ length: 101 }, (_, at) => `run://${run_id}/${at}.md`);
    expect((await listen(0, { resourceSubscriptions: many })).acknowledged.error?.code).toBe(-32_602);
    await place.redis.kill();
    const refused = await listen(0, { resourceSubscriptions: [`run://${run_id}/article.md`] });
    expect(refused.acknowledged).toMatchObject({
      id: 7,
      error: { code: -32_603, message: expect.stringContaining("dependency_down") },
    });
    await place.redis.restart();
  });
});

describe("what is declared", () => {
  it("is subscriptions where the era has them, and none where a stateless server could not keep them", async () => {
    const { result } = (await messagesOf(await ask(0, "server/discover", {})).next()).value ?? {};
    expect(result?.["capabilities"]).toMatchObject({ resources: { subscribe: true, listChanged: true } });
    const initialize = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const authorization = `Bearer ${keys.ours}`;
    const legacy = (body: Record<string, unknown>) =>
      postMcp(
        url(0),
        { jsonrpc: "2.0", id: 1, ...body },
        {
          "mcp-protocol-version": "2025-11-25",
          authorization,
        },
      ).then((response) => Array.fromAsync(messagesOf(response)));
    const [answer] = await legacy({ method: "initialize", params: initialize });
    const none = { resources: { subscribe: false, listChanged: false } };
    expect(answer?.result?.["capabilities"]).toMatchObject(none);
    const uri = `run://${await newRun()}/article.md`;
    const [refused] = await legacy({ method: "resources/subscribe", params: { uri } });
    expect(refused?.error).toMatchObject({ code: -32_601 });
  });
});
