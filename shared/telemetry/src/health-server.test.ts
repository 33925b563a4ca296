import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHealthServer, type HealthServer } from "./health-server.ts";

let faults: string[];
let obstacles: string[];
let server: HealthServer;

beforeEach(async () => {
  faults = [];
  obstacles = [];
  server = await createHealthServer({
    host: "127.0.0.1",
    port: 0,
    faults: () => faults,
    obstacles: () => obstacles,
    metrics: () => "up 1\n",
  });
});

afterEach(() => server.close());

const ask = (path: string, method = "GET") => fetch(server.url + path, { method });

describe("the health server", () => {
  it("tells what is as it is at that moment", async () => {
    expect(await (await ask("/readyz")).json()).toEqual({ status: "ok" });
    obstacles.push("closing");
    const away = await ask("/readyz?verbose");
    expect([away.status, await away.json()]).toEqual([503, { status: "unavailable", reasons: ["closing"] }]);
    expect((await ask("/livez")).status).toBe(200);
    faults.push("stuck");
    expect((await ask("/livez")).status).toBe(503);
    expect((await ask("/healthz")).status).toBe(503);
    obstacles.pop();
    expect((await ask("/readyz")).status).toBe(200);
  });

  it("gives metrics as Prometheus takes them, and nothing else", async () => {
    const metrics = await ask("/metrics");
    expect(metrics.headers.get("content-type")).toContain("version=0.0.4");
    expect(await metrics.text()).toBe("up 1\n");
    expect((await ask("/")).status).toBe(404);
    expect((await ask("/__proto__")).status).toBe(404);
    expect((await ask("/metrics", "DELETE")).status).toBe(405);
  });

  it("says that its port is taken", async () => {
    const port = Number(new URL(server.url).port);
    const again = createHealthServer({
      host: "127.0.0.1",
      port,
      faults: () => [],
      obstacles: () => [],
      metrics: () => "",
    });
    await expect(again).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});
