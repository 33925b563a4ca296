import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually, openTestPlace, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listening, type Program, startGateway } from "./testing/program.ts";

let place: TestPlace;
let program: Program | undefined;

beforeEach(async () => {
  place = await openTestPlace();
});

afterEach(async () => {
  await program?.end("SIGKILL");
  await place.close();
});

function start(env: Record<string, string>): Program {
  program = startGateway({ home: place.root, redisUrl: place.redisUrl }, env);
  return program;
}

describe("the program", () => {
  it("serves, ends its event streams on SIGTERM and leaves with 0", async () => {
    const gateway = start({});
    const url = await listening(gateway);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const created = await fetch(`${url}/v1/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ guideline: "# Drained\n" }),
    });
    const stream = await fetch(`${url}${created.headers.get("location")}/events`);
    let told = "";
    const ended = (async () => {
      for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) told += chunk;
    })();
    await eventually(() => told.includes("event: run.started"));
    await Promise.all([gateway.end("SIGTERM"), ended]);
    expect(gateway.child.exitCode).toBe(0);
  });

  it("answers on SIGTERM what is under way: a file that is being sent is stored", async () => {
    const gateway = start({});
    const url = await listening(gateway);
    const created = await fetch(`${url}/v1/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ guideline: "# Sent\n", start: false }),
    });
    const rest = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from("one, ")),
      async pull(controller) {
        await rest.promise;
        controller.enqueue(Buffer.from("two"));
        controller.close();
      },
    });
    const sent = fetch(`${url}${created.headers.get("location")}/uploads?path=a.md`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body,
      duplex: "half",
    } as RequestInit);
    const staging = join(place.root, ".store", "staging");
    await eventually(async () => (await readdir(staging)).length === 1);
    const gone = gateway.end("SIGTERM");
    await eventually(async () => {
      const refused = await fetch(`${url}/healthz`).catch(() => null);
      return refused === null;
    });
    rest.resolve();
    expect((await sent).status).toBe(201);
    await gone;
    expect(gateway.child.exitCode).toBe(0);
  });

  it("serves what can be read while nothing can be written, but is not ready", async () => {
    await writeFile(join(place.root, "probes"), "a file in the way");
    const url = await listening(start({}));
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining("for writing")]);
    expect((await fetch(`${url}/v1/runs`)).status).toBe(200);
  });

  it("starts while the Redis that is given is away, and is ready when it is there", async () => {
    await place.redis.kill();
    const url = await listening(start({}));
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    await place.redis.restart();
    await eventually(async () => (await fetch(`${url}/readyz`)).status === 200);
  });

  it.each([
    [{ PROOFROOM_REST_HOST: "0.0.0.0" }, "not_configured", "PROOFROOM_API_KEYS"],
    [{ PROOFROOM_API_KEYS: "plain" }, "invalid_input", "PROOFROOM_API_KEYS"],
  ])("does not start with %j", async (env, code, setting) => {
    const { child, said } = start(env);
    await once(child, "close");
    expect(child.exitCode).toBe(2);
    expect(said()).toContain(`${code}: `);
    expect(said()).toContain(setting);
  });
});
