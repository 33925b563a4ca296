import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { silentLogger } from "@proofroom/telemetry";
import {
  eventually,
  makeTempFolder,
  startTestRedis,
  type TempFolder,
  type TestRedis,
} from "@proofroom/testing";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, disconnect } from "./connection.ts";
import { createEventHub, type EventHub } from "./event-hub.ts";
import { startFaultProxy } from "./testing/fault-proxy.ts";

const log = silentLogger();
let folder: TempFolder;
let redis: TestRedis;
let writer: Redis;
let stop: AbortController;
const closers: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
  writer = opened(redis.url);
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  for (const close of closers.splice(0).reverse()) await close();
  await redis.close();
  await folder.close();
});

function opened(url: string, role: "worker" | "producer" = "worker"): Redis {
  const connection = connect({ url, role, log });
  closers.push(() => disconnect(connection));
  return connection;
}

async function write(stream: string, ...texts: string[]): Promise<void> {
  const pipeline = writer.pipeline();
  for (const text of texts) pipeline.xadd(stream, "*", "event", text);
  await pipeline.exec();
}

/** The texts of a stream's entries, gathered as they come. */
function hear(hub: EventHub, stream: string, after = "0", signal = stop.signal) {
  const heard: string[] = [];
  const ended = (async () => {
    for await (const entries of hub.follow(stream, after, signal)) {
      heard.push(...entries.map(([, fields]) => fields[1] ?? ""));
    }
  })();
  return { heard, ended };
}

async function connections(): Promise<number> {
  return String(await writer.client("LIST"))
    .trim()
    .split("\n").length;
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, at) => String(from + at));

describe("the event hub", () => {
  it("follows any number of streams over one connection, and over none when nobody follows", async () => {
    const hub = createEventHub(opened(redis.url));
    await eventually(async () => (await connections()) === 2);
    const followed = Array.from({ length: 60 }, (_, at) => hear(hub, `stream ${at}`));
    await Promise.all(followed.map((_, at) => write(`stream ${at}`, `of ${at}`)));
    await eventually(() => followed.every(({ heard }) => heard.length === 1));
    expect(followed.map(({ heard }) => heard[0])).toEqual(followed.map((_, at) => `of ${at}`));
    expect(await connections()).toBe(3);
    stop.abort();
    await Promise.all(followed.map(({ ended }) => ended));
    await eventually(async () => (await connections()) === 2);
  });

  it("gives each follower everything after its own position, in order and once, whenever it comes", async () => {
    const hub = createEventHub(opened(redis.url));
    const first = hear(hub, "a");
    await write("a", ...numbers(250));
    await eventually(() => first.heard.length === 250);
    const late = hear(hub, "a");
    const now = hear(hub, "a", "$");
    const other = hear(hub, "b");
    await eventually(() => late.heard.length === 250);
    for (let from = 250; from < 500; from += 50) {
      await write("a", ...numbers(50, from));
      await write("b", String(from));
    }
    await eventually(() => [first, late].every(({ heard }) => heard.length === 500));
    await eventually(() => other.heard.length === 5 && now.heard.length === 250);
    expect(first.heard).toEqual(numbers(500));
    expect(late.heard).toEqual(numbers(500));
    expect(now.heard).toEqual(numbers(250, 250));
    expect(other.heard).toEqual(["250", "300", "350", "400", "450"]);
  });

  it("reads no more than a batch ahead for one that is slow, who holds up nobody and loses nothing", async () => {
    const hub = createEventHub(opened(redis.url));
    const slow = hub.follow("a", "0", stop.signal);
    await write("a", ...numbers(1_000));
    const fast = hear(hub, "a");
    const [, fields] = (await slow.next()).value?.[0] ?? [];
    expect(fields?.[1]).toBe("0");
    await eventually(() => fast.heard.length === 1_000);
    let taken = 100;
    while (taken < 1_000) {
      const entries = (await slow.next()).value ?? [];
      expect(entries[0]?.[1][1]).toBe(String(taken));
      expect(entries.length).toBeLessThanOrEqual(100);
      taken += entries.length;
    }
  });

  it("wakes a read under way for a stream that it does not ask for, and for nothing else", async () => {
    const hub = createEventHub(opened(redis.url));
    const wakes = async () => {
      const [stream] = await writer.keys("*:wake:*");
      return stream === undefined ? 0 : writer.xlen(stream);
    };
    const first = hear(hub, "a");
    await write("a", ...numbers(10));
    await eventually(() => first.heard.length === 10);
    for (const text of numbers(20)) {
      await write("a", text);
      await eventually(() => first.heard.at(-1) === text);
    }
    expect(await wakes()).toBe(0);
    await eventually(async () => String(await writer.client("LIST")).includes("cmd=xread"));
    const second = hear(hub, "b");
    await write("b", "one");
    await eventually(() => second.heard.length === 1);
    expect(await wakes()).toBe(1);
  });

  it("ends for one that stops in the middle, and goes on for the others", async () => {
    const hub = createEventHub(opened(redis.url));
    const staying = hear(hub, "a");
    await write("a", "one");
    for await (const entries of hub.follow("a", "0", stop.signal)) {
      expect(entries).toHaveLength(1);
      break;
    }
    const leaving = new AbortController();
    const left = hear(hub, "b", "$", leaving.signal);
    await turn();
    leaving.abort();
    await left.ended;
    await write("a", "two");
    await eventually(() => staying.heard.length === 2);
  });

  it("goes on after an outage with what was written meanwhile, and ends at once during one", async () => {
    const proxy = await startFaultProxy(join(folder.path, "p"), redis.url);
    closers.push(() => proxy.close());
    const hub = createEventHub(opened(proxy.url, "producer"));
    const staying = hear(hub, "a");
    await write("a", "one");
    await eventually(() => staying.heard.length === 1);
    proxy.refuse();
    await eventually(() => proxy.refused > 1);
    const leaving = new AbortController();
    const left = hear(hub, "b", "$", leaving.signal);
    await turn();
    leaving.abort();
    await left.ended;
    const joined = hear(hub, "b");
    await write("a", "two");
    await write("b", "three");
    proxy.heal();
    await eventually(() => staying.heard.length === 2 && joined.heard.length === 1);
    expect(staying.heard).toEqual(["one", "two"]);
  });

  it("lets go of its connection when a follower that was left standing at an entry is told to stop", async () => {
    const hub = createEventHub(opened(redis.url));
    await write("a", "1");
    const entries = hub.follow("a", "0", stop.signal);
    await entries.next();
    const before = await connections();
    stop.abort();
    await eventually(async () => (await connections()) < before);
  });
});
