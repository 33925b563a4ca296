import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTempFolder, startTestRedis, type TempFolder, type TestRedis } from "@proofroom/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { runCli } from "./testing/run-cli.ts";
import { writeSmallGuideline } from "./testing/small-guideline.ts";
import { type StartedProcess, startProcess } from "./testing/start-process.ts";

const gatewayMain = fileURLToPath(new URL("../../gateway-rest/src/main.ts", import.meta.url));
const cliMain = fileURLToPath(new URL("main.ts", import.meta.url));
const key = "the-key-of-this-test";

let folder: TempFolder;
let redis: TestRedis;
let gateway: StartedProcess;
let workers: StartedProcess;
let url: string;
let guideline: string;

/** The same work here, to compare with. */
const local = () => join(folder.path, "local");

beforeAll(async () => {
  [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
  const env = {
    HOME: folder.path,
    PROOFROOM_HOME: join(folder.path, "server"),
    PROOFROOM_NO_INSTALL: "1",
    REDIS_URL: redis.url,
  };
  [gateway, workers] = await Promise.all([
    startProcess({
      main: gatewayMain,
      env: {
        ...env,
        PROOFROOM_REST_PORT: "0",
        PROOFROOM_API_KEYS: `default:${createHash("sha256").update(key).digest("hex")}`,
      },
      readyWhen: /"url":"http/,
    }),
    startProcess({
      main: cliMain,
      args: ["serve", "--health-port", "0"],
      env,
      readyWhen: /^Health and metrics/,
    }),
  ]);
  url = /"url":"(http:[^"]+)"/.exec(gateway.ready)?.[1] ?? "";
  await mkdir(join(folder.path, "work"));
  guideline = await writeSmallGuideline(join(folder.path, "work"));
});

afterAll(async () => {
  await gateway.close();
  await workers.close();
  await redis.close();
  await folder.close();
});

/** The command line on another machine: its home is not the server's, and it has no Redis. */
function remote(args: readonly string[], options: Omit<Parameters<typeof runCli>[1], "home"> = {}) {
  return runCli([...args, "--remote", url], {
    home: local(),
    cwd: folder.path,
    ...options,
    env: { PROOFROOM_API_KEY: key, ...options.env },
  });
}

describe("write --remote", () => {
  it("has the work done elsewhere, from local sources, and brings the same results home", async () => {
    const out = (name: string) => join(folder.path, name);
    const [there, here] = await Promise.all([
      remote(["write", guideline, "--json", "--out", out("there")]),
      runCli(["write", guideline, "--json", "--out", out("here")], { home: local(), cwd: folder.path }),
    ]);
    expect(there.code, there.stderr).toBe(here.code);
    const [remotely, locally] = [there, here].map(({ stdout }) => JSON.parse(stdout) as RunResult);
    expect(remotely?.verified).toEqual(locally?.verified);
    expect(Object.keys(remotely?.files ?? {})).toEqual(["research", "article", "page"]);
    expect(await readFile(join(out("there"), "article.md"), "utf8")).toBe(
      await readFile(join(out("here"), "article.md"), "utf8"),
    );
    // The steps are told of in the same words; which of them ends first may differ.
    const steps = (text: string) =>
      text
        .split("\n")
        .filter((line) => line.includes("✓"))
        .sort();
    expect(steps(there.stderr)).toEqual(steps(here.stderr));
    expect(there.stderr + there.stdout).not.toContain(key);
  }, 120_000);

  it("says which source could not be sent, and goes on without it", async () => {
    const path = join(folder.path, "work", "missing.md");
    await writeFile(path, (await readFile(guideline, "utf8")).replace("notes/tide.md", "notes/absent.md"));
    const { stderr, stdout } = await remote(["write", path, "--json", "--out", join(folder.path, "missing")]);
    expect(stderr).toContain("notes/absent.md: There is no such file or folder. (not_found)");
    expect((JSON.parse(stdout) as RunResult).status).toBe("succeeded");
  }, 120_000);

  it("lets go at Ctrl-C while the run goes on, tells how to watch it again, and does", async () => {
    const out = join(folder.path, "watched");
    const interrupted = await remote(["write", guideline, "--events", "--out", out], {
      onEvent: ({ type }, child) => void (type === "step.started" && child.kill("SIGINT")),
    });
    expect(interrupted.code).toBe(130);
    const [command, runId] = /proofroom resume (run_\w+) --remote http\S+/.exec(interrupted.stderr) ?? [];
    expect(command, interrupted.stderr).toBe(`proofroom resume ${runId} --remote ${url}`);

    const resumed = await remote(["resume", runId ?? "", "--json", "--out", out]);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ run_id: runId, status: "succeeded" });
    expect(await readFile(join(out, "article.md"), "utf8")).toContain("# Keeping a log");

    const cancelled = await remote(["cancel", runId ?? "", "--json"]);
    expect(JSON.parse(cancelled.stdout)).toEqual({ run_id: runId, cancelled: false });

    // What there is is seen from here as it is there, until it is removed.
    const ids = async () => {
      const { runs } = JSON.parse((await remote(["list", "--json"])).stdout) as {
        runs: { run_id: string }[];
      };
      return runs.map(({ run_id }) => run_id);
    };
    expect((await ids()).at(-1)).toBe(runId);
    const there = { home: join(folder.path, "server"), cwd: folder.path };
    const [seen, known] = await Promise.all([
      remote(["status", runId ?? ""]),
      runCli(["status", runId ?? ""], there),
    ]);
    expect(seen.stdout).toContain("Keeping a log");
    expect(seen.stdout).toBe(known.stdout);
    const removed = await remote(["remove", runId ?? "", "--json"]);
    expect(JSON.parse(removed.stdout)).toEqual({ removed: [runId] });
    expect(await ids()).not.toContain(runId);
  }, 120_000);
});

describe("a gateway that does not serve", () => {
  const write = (address: string, env: Record<string, string> = {}) =>
    runCli(["write", guideline, "--json", "--remote", address], { home: local(), cwd: folder.path, env });

  async function answering(status: number, body: string): Promise<{ server: Server; address: string }> {
    const server = createServer((_request, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it("for want of the right key is told of with the setting that it takes", async () => {
    for (const env of [{}, { PROOFROOM_API_KEY: "wrong" }]) {
      const { code, stdout } = await write(url, env);
      const { error } = JSON.parse(stdout);
      expect(error).toMatchObject({
        code: "not_configured",
        remedy: expect.stringContaining("PROOFROOM_API_KEY"),
      });
      expect(code).toBe(4);
    }
  });

  it("because it is not there, or is none, is told of as such", async () => {
    const gone = await write("http://127.0.0.1:1");
    expect(JSON.parse(gone.stdout).error).toMatchObject({ code: "dependency_down" });
    const { server, address } = await answering(200, "<html>");
    const foreign = await write(address);
    server.close();
    expect(JSON.parse(foreign.stdout).error.message).toContain("no Proofroom gateway");
    expect((await write("ftp://x")).code).toBe(2);
    expect((await write("http://user:word@127.0.0.1:1")).code).toBe(2);
  });

  it("refuses a run that is not there with the code it has here", async () => {
    const { code, stdout } = await remote(["resume", "run_01J8ZZZZZZZZZZZZZZZZZZZZZZ", "--json"]);
    expect(JSON.parse(stdout).error.code).toBe("not_found");
    expect(code).toBe(2);
  });
});
