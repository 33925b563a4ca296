import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { eventually, makeTempFolder, startTestRedis, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadGuideline } from "./create/load-guideline.ts";
import { type McpChild, type McpOptions, startMcp } from "./testing/mcp-child.ts";
import { runCli } from "./testing/run-cli.ts";
import { writeSmallGuideline } from "./testing/small-guideline.ts";

let folder: TempFolder;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await folder.close();
});

async function mcp(options: Omit<McpOptions, "home"> = {}): Promise<McpChild> {
  const child = await startMcp({ home: folder.path, ...options });
  closers.push(() => child.end());
  return child;
}

/** Where a running private Redis is noted. */
const lock = () => join(folder.path, "redis", "lock");

describe("proofroom mcp", () => {
  it("greets although Redis cannot be had, says so at every call, and tries again", async () => {
    const path = join(folder.path, "bin");
    await mkdir(path);
    const server = await mcp({ env: { PATH: path } });
    expect((await server.ask("tools/list"))["tools"]).toHaveLength(33);
    for (const tool of ["list_runs", "list_runs"]) {
      const text = await server.call(tool);
      expect(text).toContain("dependency_down: Redis is needed, and none could be found or started.");
      expect(text).toContain("remedy: Install redis-server");
    }
    const program = (process.env["PATH"] ?? "")
      .split(":")
      .map((place) => join(place, "redis-server"))
      .find(existsSync);
    await symlink(program ?? "", join(path, "redis-server"));
    expect(await server.call("list_runs")).toBe("There are no runs.");
    expect(server.foreign).toEqual([]);
    expect(await server.end()).toEqual({ code: 0, signal: null });
  });

  it("greets although a setting is wrong, and names it at every call", async () => {
    const server = await mcp({ env: { PROOFROOM_STORE: "ftp://x" } });
    const text = await server.call("list_runs");
    expect(text).toContain("invalid_input: The setting PROOFROOM_STORE");
    expect(text).toContain("remedy: Correct PROOFROOM_STORE");
  });

  it("is only a door to the Redis that is set, where it is told to host nothing", async () => {
    const closed = await mcp({ args: ["--no-workers"] });
    expect(await closed.call("list_runs")).toMatch(/not_configured: .*\nremedy: Set REDIS_URL/);
    const redis = await startTestRedis();
    closers.push(() => redis.close());
    const env = { REDIS_URL: redis.url };
    const door = await mcp({ args: ["--no-workers", "--inline-ms", "0"], env });
    const guideline = "# t\n\n- [a](a.md)\n";
    const source_files = [{ path: "a.md", text: "Water flows downhill because of gravity.\n" }];
    const made = await door.ask("tools/call", {
      name: "create_run",
      arguments: { guideline, source_files },
    });
    const { run_id } = made["structuredContent"] as { run_id: string };
    expect(await door.call("extract_guidelines_urls", { run_id })).toContain("queued");
    const hosting = await mcp({ env });
    const text = await hosting.call("extract_guidelines_urls", { run_id });
    expect(text).toContain("extract_guidelines_urls: succeeded");
  });

  it("offers the toolsets that it was asked for, and refuses others before it serves", async () => {
    const server = await mcp({ args: ["--toolsets", "writer"] });
    const names = ((await server.ask("tools/list"))["tools"] as { name: string }[]).map(({ name }) => name);
    expect(names).toContain("draft_article_section");
    expect(names).toContain("job_wait");
    expect(names).not.toContain("run_web_research");
    const refused = await runCli(["mcp", "--toolsets", "nothing"], { home: folder.path });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("There is no such toolset.");
  });

  it("shares one Redis with another on the same home, and the last one out stops it", async () => {
    const first = await mcp();
    expect(await first.call("list_runs")).toBe("There are no runs.");
    const second = await mcp();
    await second.call("create_run", { guideline: "# Shared\n" });
    expect(await first.call("list_runs")).toContain('"Shared"');
    first.child.kill("SIGTERM");
    expect(await first.end()).toEqual({ code: 0, signal: null });
    expect(await second.call("list_runs")).toContain('"Shared"');
    expect(existsSync(lock())).toBe(true);
    expect(await second.end()).toEqual({ code: 0, signal: null });
    expect(existsSync(lock())).toBe(false);
  });

  it("answers a call that waits with its handle when it is told to end, and the job goes on in the next one", async () => {
    const redis = await startTestRedis();
    closers.push(() => redis.close());
    const door = await mcp({ args: ["--no-workers"], env: { REDIS_URL: redis.url } });
    const made = await door.ask("tools/call", { name: "create_run", arguments: { guideline: "# t\n" } });
    const { run_id } = made["structuredContent"] as { run_id: string };
    const call = door.call("extract_guidelines_urls", { run_id });
    // Nobody works on it, so that the answer can only be the handle.
    await door.ask("tools/list");
    door.child.kill("SIGTERM");
    const text = await call;
    expect(text).toContain("extract_guidelines_urls: queued");
    const job_id = /job_id: (\S+)/.exec(text)?.[1];
    const next = await mcp({ env: { REDIS_URL: redis.url } });
    expect(await next.call("job_wait", { job_id })).toContain("extract_guidelines_urls: succeeded");
  });

  it("leaves a run that is under way to the next one on the home", { timeout: 120_000 }, async () => {
    await writeSmallGuideline(folder.path);
    const { text, uploads } = await loadGuideline(join(folder.path, "guideline.md"));
    const source_files = await Promise.all(
      uploads.map(async ({ path, disk }) => ({ path, text: await readFile(disk, "utf8") })),
    );
    const first = await mcp();
    const made = await first.ask("tools/call", {
      name: "create_run",
      arguments: { guideline: text, source_files },
    });
    const { run_id } = made["structuredContent"] as { run_id: string };
    await first.call("resume_run", { run_id });
    await eventually(async () => (await first.call("get_run", { run_id })).includes("step "));
    expect(await first.end()).toEqual({ code: 0, signal: null });
    expect(existsSync(lock())).toBe(false);
    const next = await mcp();
    await eventually(
      async () => (await next.call("get_run", { run_id })).startsWith(`${run_id}: succeeded`),
      60_000,
    );
  });

  it("ends when it is told to though nobody reads what it has said", async () => {
    const { child } = await mcp();
    child.stdout?.pause();
    // More than a pipe holds.
    for (let id = 100; id < 120; id += 1)
      child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" })}\n`);
    await eventually(async () => (child.stdout?.readableLength ?? 0) > 0);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    child.stdout?.destroy();
  });

  it("ends when its output is gone, and leaves nothing running", async () => {
    const server = await mcp();
    expect(await server.call("list_runs")).toBe("There are no runs.");
    expect(existsSync(lock())).toBe(true);
    server.child.stdout?.destroy();
    const exit = once(server.child, "exit");
    server.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 99, method: "tools/list" })}\n`);
    expect(await exit).toEqual([0, null]);
    expect(existsSync(lock())).toBe(false);
  });
});
