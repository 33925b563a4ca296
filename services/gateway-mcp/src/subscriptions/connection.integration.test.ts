import { fileURLToPath } from "node:url";
import { Client as ModernClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { artifact } from "@proofroom/contracts";
import { connectModernHttp, eventually, openTestPlace, type Peer, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway } from "../testing/start-test-gateway.ts";

const identity = { name: "t", version: "1" };
const modern = { versionNegotiation: { mode: "auto" } } as const;
let place: TestPlace;
let url: string;
/** A caller at a replica of its own, over HTTP. */
let other: Peer;
let run_id: string;
let uri: string;

beforeEach(async () => {
  place = await openTestPlace();
  const gateway = await startTestGateway(place);
  url = gateway.url;
  place.closing(() => gateway.close(100));
  other = await connectModernHttp(url);
  place.closing(() => other.close());
  run_id = await newRun();
  uri = `run://${run_id}/${artifact.article}`;
});

afterEach(() => place.close());

async function newRun(): Promise<string> {
  return String((await other.call("create_run", { guideline: "# t\n" })).structuredContent?.["run_id"]);
}

async function put(text: string): Promise<void> {
  expect((await other.call("put_artifact", { run_id, kind: "article", text })).isError).not.toBe(true);
}

function stdioServer() {
  const main = fileURLToPath(new URL("../testing/stdio-main.ts", import.meta.url));
  return {
    command: process.execPath,
    args: [main, place.root, place.redisUrl, "0"],
    stderr: "ignore" as const,
  };
}

describe("a client of the legacy era over stdio", () => {
  it("is told what it subscribed to until it unsubscribes, and of every new run", async () => {
    const client = new LegacyClient(identity);
    const updated: string[] = [];
    let listed = 0;
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      updated.push(params.uri);
    });
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      listed += 1;
    });
    await client.connect(new LegacyStdio(stdioServer()));
    place.closing(() => client.close());
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true });
    await client.subscribeResource({ uri });
    await put("# One\n");
    await eventually(() => updated.length === 1);
    expect(updated).toEqual([uri]);
    await eventually(async () => {
      await newRun();
      return listed > 0;
    });
    await client.unsubscribeResource({ uri });
    const next = `run://${run_id}/${artifact.guideline}`;
    await client.subscribeResource({ uri: next });
    await put("# Two\n");
    await other.call("put_artifact", { run_id, kind: "guideline", text: "# Two\n" });
    await eventually(() => updated.length === 2);
    expect(updated).toEqual([uri, next]);
  });

  it("may subscribe while Redis is away, and is told when it is back", async () => {
    const client = new LegacyClient(identity);
    const updated: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      updated.push(params.uri);
    });
    await client.connect(new LegacyStdio(stdioServer()));
    place.closing(() => client.close());
    await place.redis.kill();
    await client.subscribeResource({ uri });
    await place.redis.restart();
    let n = 0;
    await eventually(async () => {
      n += 1;
      await put(`# ${n}\n`);
      return updated.length > 0;
    });
    expect(updated[0]).toBe(uri);
  });

  it("is refused a run that is not there, and goes on", async () => {
    const client = new LegacyClient(identity);
    await client.connect(new LegacyStdio(stdioServer()));
    place.closing(() => client.close());
    const missing = `run://run_${"0".repeat(26)}/article.md`;
    await expect(client.subscribeResource({ uri: missing })).rejects.toMatchObject({ code: -32_602 });
    await expect(client.subscribeResource({ uri: "file:///x" })).rejects.toMatchObject({ code: -32_602 });
    await client.subscribeResource({ uri });
  });
});

describe.each(["stdio", "HTTP"])("the SDK's client of 2026-07-28 over %s", (over) => {
  async function connected(updated: string[]) {
    const client = new ModernClient(identity, modern);
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      updated.push(params.uri);
    });
    const transport =
      over === "stdio" ? new ModernStdio(stdioServer()) : new StreamableHTTPClientTransport(new URL(url));
    await client.connect(transport);
    place.closing(() => client.close());
    return client;
  }

  it("is told of each change from the acknowledgement on, once per stream, until it closes that", async () => {
    const updated: string[] = [];
    const client = await connected(updated);
    const first = await client.listen({ resourceSubscriptions: [uri] });
    await put("# One\n");
    await eventually(() => updated.length === 1);
    const second = await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
    await put("# Two\n");
    await eventually(() => updated.length === 3);
    await first.close();
    // Its answer comes when what was sent before it has been heard.
    await client.listTools();
    await put("# Three\n");
    await eventually(() => updated.length >= 4);
    await second.close();
    await client.listTools();
    const last = `run://${run_id}/${artifact.guideline}`;
    await client.listen({ resourceSubscriptions: [last] });
    await put("# Four\n");
    await other.call("put_artifact", { run_id, kind: "guideline", text: "# Four\n" });
    await eventually(() => updated.includes(last));
    expect(updated).toEqual([uri, uri, uri, uri, last]);
  });
});
