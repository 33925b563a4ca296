import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTempFolder, type TempFolder } from "../../shared/testing/src/index.ts";
import { checkout, describeStack } from "./compose.ts";

const stack = describeStack({ project: `proofroom-check-${process.pid}`, restPort: 18_080, mcpPort: 18_081 });
const { compose, docker, evaluate } = stack;

const ours = ["orchestrator", "research", "writer", "critic", "code-qa", "gateway-rest", "gateway-mcp"];
let folder: TempFolder;
let key: string;

/** What the two runs came to: one in peace, one among failures. */
interface Written {
  code: number | null;
  said: string;
  result: { run_id: string; status: string; article: string; verified: Record<string, unknown> };
  out: string;
}
let peaceful: Written;

/** Writes the example with the command line, as a user does: through the stack, or with all of it in a process of its own. */
async function write(
  name: string,
  { where = ["--remote", stack.restUrl], onStep }: { where?: string[]; onStep?: (step: string) => void } = {},
): Promise<Written> {
  const out = join(folder.path, name);
  const cli = join(checkout, "services/cli/src/main.ts");
  const args = [cli, "write", "--example", "--events", ...where, "--out", out];
  const child = spawn(process.execPath, args, {
    cwd: folder.path,
    env: {
      PATH: process.env["PATH"],
      HOME: folder.path,
      PROOFROOM_HOME: folder.path,
      PROOFROOM_API_KEY: key,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += String(text);
  });
  let result = {} as Written["result"];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const event = JSON.parse(line);
    if (event.type === "result") result = event;
    if (event.type === "step.started") onStep?.(event.step);
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said, result, out };
}

const article = ({ out }: Written) => readFileSync(join(out, "article.md"), "utf8");

/** What a service that reaches the store finds there of a run: its steps, and the spans of its trace. */
async function traceOf({ result }: Written): Promise<{
  steps: string[];
  spans: { trace_id: string; span_id: string; parent_id?: string; name: string; service: string }[];
}> {
  const answer = await evaluate(
    "orchestrator",
    `process.loadEnvFile("/run/proofroom/store/store.env");
     const { openStore } = await import("/app/shared/artifacts/src/index.ts");
     const { parseEnv, storeConfig } = await import("/app/shared/config/src/index.ts");
     const { openLedger, openRunTraces } = await import("/app/shared/runtime/src/records.ts");
     const store = await openStore(parseEnv(storeConfig, process.env));
     const { steps } = await openLedger(store, "${result.run_id}").load();
     const names = [...steps.values()].filter(({ record }) => record !== null).map(({ record }) => record.capability);
     console.log(JSON.stringify({ steps: names, spans: await openRunTraces(store).read("${result.run_id}") }));
     await store.close();`,
  );
  return JSON.parse(answer);
}

/** What a run has come to be in the bucket: the steps' records, and every version of every artifact. */
async function effects({ result }: Written): Promise<string[]> {
  const base = `runs/${result.run_id}/`;
  const keys = (await stack.objects(base)).map((path) => path.slice(base.length));
  const records = /^\.nova\/ledger\/(?:steps|children\/[^/]+\/records)\/[^/]+$/;
  // Uploads are noted one by one, before the run begins.
  const versions = /^\.nova\/history\/(?!\.nova\/uploads\.json\/).+\/\d{6}\.json$/;
  return keys.filter((path) => records.test(path) || versions.test(path));
}

beforeAll(async () => {
  folder = await makeTempFolder();
  await stack.down();
  await compose("up", "--detach", "--no-build", "--wait", "--scale", "research=3", "--scale", "writer=2");
  key = (await compose("run", "--rm", "--no-deps", "secrets", "api-key")).trim();
}, 300_000);

afterAll(async () => {
  await stack.down();
  await folder.close();
}, 120_000);

describe("the stack, from nothing", () => {
  it("is healthy, with as many workers as were asked for", async () => {
    const counts = await Promise.all(
      [...ours, "redis", "s3"].map(async (service) => [service, (await stack.containersOf(service)).length]),
    );
    expect(Object.fromEntries(counts)).toEqual({
      ...Object.fromEntries([...ours, "redis", "s3"].map((service) => [service, 1])),
      research: 3,
      writer: 2,
    });
    for (const url of [stack.restUrl, stack.mcpUrl])
      expect((await fetch(`${url}/livez`)).status).not.toBe(500);
  });

  it("opens its gateways to the generated key alone", async () => {
    const ask = (headers: Record<string, string>) => fetch(`${stack.restUrl}/v1/runs`, { headers });
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: "Bearer wrong" })).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${key}` })).status).toBe(200);
    const initialize = (headers: Record<string, string>) =>
      fetch(`${stack.mcpUrl}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: {
            protocolVersion: "2025-06-18",
            capabilities: {},
            clientInfo: { name: "test", version: "1" },
          },
        }),
      });
    expect((await initialize({})).status).toBe(401);
    expect((await initialize({ authorization: `Bearer ${key}` })).status).toBe(200);
  });

  it.each([...ours, "redis", "s3"])("%s has no rights that it does not need", async (service) => {
    const [container = ""] = await stack.containersOf(service);
    const [facts] = JSON.parse(await docker("inspect", container));
    const { HostConfig: host, Config: config } = facts;
    expect(host).toMatchObject({ ReadonlyRootfs: true, CapDrop: ["ALL"], Privileged: false });
    expect(host.SecurityOpt).toContain("no-new-privileges:true");
    expect(host.Memory).toBeGreaterThan(0);
    expect(host.NanoCpus).toBeGreaterThan(0);
    expect(host.PidsLimit).toBeGreaterThan(0);
    expect(config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const published = Object.values<{ HostIp: string }[] | null>(facts.NetworkSettings.Ports)
      .flatMap((bindings) => bindings ?? [])
      .map(({ HostIp }) => HostIp);
    expect(published).toEqual(service.startsWith("gateway-") ? ["127.0.0.1"] : []);
  });

  it("lets the service that runs foreign code reach Redis and S3, and nothing else", async () => {
    const answer = await evaluate(
      "code-qa",
      `import { connect } from "node:net";
       const reach = (host, port) => new Promise((resolve) => {
         const socket = connect({ host, port, timeout: 2_000 });
         const end = (reached) => { socket.destroy(); resolve(reached); };
         socket.on("connect", () => end(true)).on("error", () => end(false)).on("timeout", () => end(false));
       });
       const places = [["redis", 6379], ["s3", 9000], ["gateway-rest", 8080], ["research", 9464], ["1.1.1.1", 443]];
       console.log(JSON.stringify(await Promise.all(places.map(([host, port]) => reach(host, port)))));`,
    );
    expect(JSON.parse(answer)).toEqual([true, true, false, false, false]);
  });

  it("runs code in a sandbox that has withstood its self-test", async () => {
    const answer = await evaluate(
      "code-qa",
      `import { selectDriver } from "/app/services/code-qa/src/sandbox/select-driver.ts";
       const log = { info() {}, warn() {} };
       const driver = await selectDriver({ log, signal: AbortSignal.timeout(60_000) });
       console.log(driver.name);
       await driver.close();`,
    );
    expect(answer.trim()).toBe("landlock");
  });
});

describe("a run through the stack", () => {
  it("makes of the example an approved article, whose code has run", async () => {
    peaceful = await write("peaceful");
    expect(peaceful.code, peaceful.said).toBe(0);
    expect(peaceful.result).toMatchObject({
      status: "succeeded",
      article: "approved",
      verified: { code: { passed: 3, blocks: 3 } },
    });
  });

  it("keeps its artifacts in the bucket", async () => {
    const kept = await stack.objects(`runs/${peaceful.result.run_id}/`);
    for (const name of ["research.md", "article.md", "article.html", ".nova/citations.json"])
      expect(kept).toContain(`runs/${peaceful.result.run_id}/${name}`);
  });

  it("makes the article that one process with a folder makes, to the byte", async () => {
    const alone = await write("alone", { where: [] });
    expect(alone.code, alone.said).toBe(0);
    expect(article(peaceful)).toBe(article(alone));
  });

  it("has one trace, in the bucket, from the gateway's request to the page, with every step in it", async () => {
    const { steps, spans } = await traceOf(peaceful);
    expect(steps.length).toBeGreaterThan(10);
    expect(new Set(spans.map(({ trace_id }) => trace_id)).size).toBe(1);
    const names = new Set(spans.map(({ name }) => name));
    expect(steps.filter((step) => !names.has(step))).toEqual([]);
    const ids = new Set(spans.map(({ span_id }) => span_id));
    const roots = spans.filter(({ parent_id }) => parent_id === undefined || !ids.has(parent_id));
    expect(roots.map(({ service }) => service)).toEqual(["proofroom-gateway-rest"]);
    expect([...new Set(spans.map(({ service }) => service))].sort()).toEqual(
      ["code-qa", "critic", "gateway-rest", "orchestrator", "research", "writer"].map(
        (name) => `proofroom-${name}`,
      ),
    );
  });

  it("loses nothing and does nothing twice when a worker and Redis are killed under it", async () => {
    let killed: Promise<unknown> | undefined;
    const onStep = (step: string) => {
      if (step !== "process_local_files") return;
      killed ??= (async () => {
        const [worker = ""] = await stack.containersOf("research");
        const [redis = ""] = await stack.containersOf("redis");
        await docker("kill", worker, redis);
        // What is killed by hand stays down: the worker for good, its two siblings go on.
        await docker("start", redis);
      })();
    };
    const shaken = await write("shaken", { onStep });
    expect(killed, shaken.said).toBeDefined();
    await killed;
    expect(await stack.containersOf("research")).toHaveLength(2);
    expect(shaken.code, shaken.said).toBe(0);
    expect(shaken.result.verified).toEqual(peaceful.result.verified);
    expect(article(shaken)).toBe(article(peaceful));
    expect(await effects(shaken)).toEqual(await effects(peaceful));
    expect((await effects(peaceful)).length).toBeGreaterThan(30);
  });
});
