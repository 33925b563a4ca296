import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, makeTempFolder, type TempFolder } from "../../shared/testing/src/index.ts";
import { checkout, describeStack } from "./compose.ts";

const project = `proofroom-check-${process.pid}`;
const stack = describeStack({ project, restPort: 18_080, mcpPort: 18_081 });
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
  { where = ["--remote", stack.restUrl], onRun }: { where?: string[]; onRun?: (runId: string) => void } = {},
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
    if (event.type !== "result") onRun?.(event.run_id);
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

/** Which of the places, a host and a port each, a service can connect to. */
async function reaches(service: string, places: readonly (readonly [string, number])[]): Promise<boolean[]> {
  const answer = await evaluate(
    service,
    `import { connect } from "node:net";
     const reach = ([host, port]) => new Promise((resolve) => {
       const socket = connect({ host, port, timeout: 2_000 });
       const end = (reached) => { socket.destroy(); resolve(reached); };
       socket.on("connect", () => end(true)).on("error", () => end(false)).on("timeout", () => end(false));
     });
     console.log(JSON.stringify(await Promise.all(${JSON.stringify(places)}.map(reach))));`,
  );
  return JSON.parse(answer);
}

/** Has a container's programs stand still, or go on; its first process only waits for them. */
function signalPrograms(container: string, signal: "STOP" | "CONT"): Promise<string> {
  return docker("exec", container, "sh", "-c", `kill -${signal} -1`);
}

/** The sources of a run that were begun to be read, each with how often; by whether its record stands. */
async function readings(
  runId: string,
): Promise<{ underWay: Map<string, number>; ended: Map<string, number> }> {
  const base = `runs/${runId}/.nova/ledger/children/`;
  const keys = (await stack.objects(`runs/${runId}/`))
    .filter((key) => key.startsWith(base))
    .map((key) => key.slice(base.length));
  const found = { underWay: new Map<string, number>(), ended: new Map<string, number>() };
  for (const key of keys) {
    const [, parent, step] = /^([^/]+)\/attempts\/([^/]+)\/[^/]+\.started\.json$/.exec(key) ?? [];
    if (step === undefined) continue;
    const starts = keys.includes(`${parent}/records/${step}.json`) ? found.ended : found.underWay;
    starts.set(step, (starts.get(step) ?? 0) + 1);
  }
  return found;
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
    const headers = { authorization: `Bearer ${key}` };
    for (const url of [stack.restUrl, stack.mcpUrl])
      expect((await fetch(`${url}/readyz`, { headers })).status).toBe(200);
  });

  it("has a Redis that keeps what it was told, and forgets nothing for want of room", async () => {
    const settings = ["appendonly", "maxmemory-policy"];
    const said = await compose("exec", "-T", "redis", "redis-cli", "CONFIG", "GET", ...settings);
    const words = said.split("\n");
    expect(settings.map((name) => words[words.indexOf(name) + 1])).toEqual(["yes", "noeviction"]);
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
    const others = [
      ["gateway-rest", 8080],
      ["research", 9464],
    ] as const;
    // What answers on the network of those that have a way out: that research reaches it shows that there is something to reach.
    const outside = `${project}-outside`;
    const image = "redis:7-bookworm";
    await docker(
      "run",
      "--detach",
      "--name",
      outside,
      "--network",
      `${project}_outside`,
      image,
      "redis-server",
    );
    try {
      const address = "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}";
      const host = (await docker("inspect", "--format", address, outside)).trim();
      const there = [host, 6379] as const;
      await eventually(async () => (await reaches("research", [there]))[0] === true);
      const places = [["redis", 6379], ["s3", 9000], ...others, there, ["1.1.1.1", 443]] as const;
      expect(await reaches("code-qa", places)).toEqual([true, true, false, false, false, false]);
      expect(await reaches("orchestrator", others)).toEqual([true, true]);
    } finally {
      await docker("rm", "--force", "--volumes", outside);
    }
  });

  it("runs code in a sandbox that has withstood its self-test, and hides the store's keys and Redis from it", async () => {
    const answer = await evaluate(
      "code-qa",
      `import { lookup } from "node:dns/promises";
       import { readFileSync } from "node:fs";
       import { defaultLimits as limits } from "/app/services/code-qa/src/sandbox/sandbox-driver.ts";
       import { selectDriver } from "/app/services/code-qa/src/sandbox/select-driver.ts";
       const keys = "/run/proofroom/store/store.env";
       const { address } = await lookup("redis");
       const content = \`
import socket
def tried(work):
    try:
        work()
        return "done"
    except OSError:
        return "refused"
print(tried(lambda: open("\${keys}").read()))
print(tried(lambda: socket.create_connection(("\${address}", 6379), 2)))
print(tried(lambda: open("kept.txt", "w").write("text")))
\`;
       const log = { info() {}, warn() {} };
       const signal = AbortSignal.timeout(60_000);
       const driver = await selectDriver({ log, signal });
       const files = [{ path: "try.py", content }];
       const outcome = await driver.run({ files, command: "python", args: [{ file: "try.py" }], limits, signal });
       const { verdict, stdout, stderr } = outcome;
       console.log(JSON.stringify({ name: driver.name, own: readFileSync(keys).length > 0, verdict, stdout, stderr }));
       await driver.close();`,
    );
    expect(JSON.parse(answer)).toEqual({
      name: "landlock",
      own: true,
      verdict: "ok",
      stdout: "refused\nrefused\ndone\n",
      stderr: "",
    });
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

  it("loses nothing and does nothing twice when a worker that reads a source and Redis are killed under it", async () => {
    const [worker = "", ...siblings] = await stack.containersOf("research");
    const [redis = ""] = await stack.containersOf("redis");
    // Nobody works but the one that is to be killed, and that one step by step: so that it is known to be at work when it is killed.
    for (const container of [worker, ...siblings]) await signalPrograms(container, "STOP");
    const heldIn = async (runId: string) => [...(await readings(runId)).underWay.keys()];
    async function killAtWork(runId: string): Promise<string[]> {
      let held: string[] = [];
      try {
        await eventually(async () => {
          await signalPrograms(worker, "CONT");
          await signalPrograms(worker, "STOP");
          const seen = await heldIn(runId);
          // What it had sent before it stood still has arrived by now.
          held = seen.length === 0 ? [] : (await heldIn(runId)).filter((step) => seen.includes(step));
          return held.length > 0;
        }, 120_000);
      } finally {
        await docker("kill", worker, redis);
        // What is killed by hand stays down: the worker for good, its two siblings go on.
        await docker("start", redis);
        for (const sibling of siblings) await signalPrograms(sibling, "CONT");
      }
      return held;
    }
    const begun = Promise.withResolvers<string>();
    const [shaken, held] = await Promise.all([
      write("shaken", { onRun: begun.resolve }),
      begun.promise.then(killAtWork),
    ]);
    expect(await stack.containersOf("research")).toHaveLength(2);
    expect(shaken.code, shaken.said).toBe(0);
    const { ended } = await readings(shaken.result.run_id);
    expect(held.length).toBeGreaterThan(0);
    for (const step of held) expect(ended.get(step), step).toBeGreaterThan(1);
    const { spans } = await traceOf(shaken);
    expect(new Set(spans.map(({ trace_id }) => trace_id)).size).toBe(1);
    expect(shaken.result.verified).toEqual(peaceful.result.verified);
    expect(article(shaken)).toBe(article(peaceful));
    expect(await effects(shaken)).toEqual(await effects(peaceful));
    expect((await effects(peaceful)).length).toBeGreaterThan(30);
  });
});
