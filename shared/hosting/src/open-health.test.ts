import { advance } from "@proofroom/contracts";
import type { WorkerHealth } from "@proofroom/queue";
import { createJobMetrics, type HealthServer } from "@proofroom/telemetry";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HealthOptions, openHealth } from "./open-health.ts";

let health: WorkerHealth;
let stopping: boolean;
let obstacles: string[];
let said: string[];
const open: HealthServer[] = [];

beforeEach(() => {
  health = { state: "ready", silentMs: 0 };
  stopping = false;
  obstacles = [];
  said = [];
});

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function start(place: HealthOptions["place"] = { port: 0 }): Promise<HealthServer | null> {
  const server = await openHealth({
    place,
    workers: () => [{ capability: advance, health: () => health }],
    obstacles: () => obstacles,
    metrics: () => createJobMetrics().text(),
    stopping: () => stopping,
    notice: (line) => said.push(line),
  });
  if (server !== null) open.push(server);
  return server;
}

const statuses = async (url = "") =>
  Promise.all(["/livez", "/readyz", "/metrics"].map(async (path) => (await fetch(url + path)).status));

describe("the health of a process", () => {
  it.each([
    [{ state: "ready", silentMs: 0 }, [200, 200, 200]],
    [{ state: "starting", silentMs: 100 }, [200, 503, 200]],
    [{ state: "disconnected", silentMs: 3_600_000 }, [200, 503, 200]],
    [{ state: "paused", silentMs: 3_600_000 }, [200, 503, 200]],
    [{ state: "closing", silentMs: 3_600_000 }, [200, 503, 200]],
    [{ state: "silent", silentMs: 20_000 }, [200, 503, 200]],
    [{ state: "silent", silentMs: 70_000 }, [503, 503, 200]],
  ] as const)("of a worker that is %j is %j", async (now, expected) => {
    health = now;
    expect(await statuses((await start())?.url)).toEqual(expected);
  });

  it("names the workers that take no jobs", async () => {
    health = { state: "disconnected", silentMs: 1 };
    const server = await start();
    expect(await (await fetch(`${server?.url}/readyz`)).json()).toEqual({
      status: "unavailable",
      reasons: ["advance: disconnected"],
    });
  });

  it("is not ready where something else keeps it from its work, though it lives", async () => {
    const server = await start();
    obstacles.push("store: full");
    expect(await statuses(server?.url)).toEqual([200, 503, 200]);
    expect(await (await fetch(`${server?.url}/readyz`)).json()).toMatchObject({ reasons: ["store: full"] });
  });

  it("is not ready from the moment that it is told to end, though it lives", async () => {
    const server = await start();
    stopping = true;
    expect(await statuses(server?.url)).toEqual([200, 503, 200]);
  });

  it("is an error where a place was chosen that is taken", async () => {
    const port = Number(new URL((await start())?.url ?? "").port);
    await expect(start({ port })).rejects.toMatchObject({ code: "conflict" });
  });
});
