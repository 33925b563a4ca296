import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createFsStore, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { artifact, defaultTenant, uploadsSchema } from "@proofroom/contracts";
import type { GatewayDeps } from "@proofroom/gateway-mcp";
import { describeRun, listRunIds } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSettings } from "../../settings.ts";
import { createDirectories } from "./research-directories.ts";

let temp: TempFolder;
let store: ObjectStore;
let deps: GatewayDeps;

const { signal } = new AbortController();
const guideline = "# Retrying\n\n## Sources\n\n- [notes](notes.md)\n- [more](more/)\n";

beforeEach(async () => {
  temp = await makeTempFolder();
  store = createFsStore({ root: at("home") });
  deps = { store, tenant: defaultTenant } as GatewayDeps;
  await put("article_guideline.md", guideline);
  await put("notes.md", "Retries need a limit.\n");
  await put("more/a.md", "A deadline bounds them.\n");
});

afterEach(() => temp.close());

const at = (path: string) => join(temp.path, path);

async function put(name: string, text: string) {
  await mkdir(dirname(at(`work/${name}`)), { recursive: true });
  await writeFile(at(`work/${name}`), text);
}

const read = (name: string) => readFile(at(`work/${name}`), "utf8");

/** As in a process of its own. */
function open(env: Record<string, string> = {}) {
  const settings = readSettings(
    { PROOFROOM_HOME: at("home"), ...env },
    { cwd: temp.path, checkout: temp.path },
  );
  return createDirectories({ settings: () => settings, log: silentLogger() });
}

async function write(runId: string, name: string, text: string, author = "draft_article_section.g1") {
  await openRunArtifacts(store, runId).write(name, Buffer.from(text), { author });
}

async function newest(runId: string, name: string) {
  const artifacts = openRunArtifacts(store, runId);
  const version = await artifacts.latest(name);
  const text = version === null ? null : Buffer.from(await artifacts.read(name, version)).toString("utf8");
  return { author: version?.author, n: version?.n, text };
}

async function uploads(runId: string) {
  const { text } = await newest(runId, artifact.uploads);
  return uploadsSchema.parse(JSON.parse(text ?? "")).entries;
}

async function upload(runId: string, path: string) {
  return readFile(at(`home/runs/${runId}/.nova/uploads/${path}`), "utf8");
}

describe("a folder", () => {
  it("has one run, with its guideline and local files, found again by another process and by any name", async () => {
    const first = open();
    const runId = await first.bind("work", deps, signal);
    expect(first.folderOf(runId)).toBe(at("work"));
    expect(await describeRun(store, runId)).toMatchObject({ title: "Retrying", status: "queued" });
    expect((await newest(runId, artifact.guideline)).text).toBe(guideline);
    expect(await uploads(runId)).toMatchObject([
      { path: "notes.md", kind: "file", files: ["notes.md"] },
      { path: "more/", kind: "folder", files: ["more/a.md"] },
    ]);
    await symlink(at("work"), at("alias"));
    for (const path of [at("work"), "./work/../work", "alias"])
      expect(await open().bind(path, deps, signal)).toBe(runId);
    const other = open();
    expect(await Promise.all([other.bind("work", deps, signal), open().bind("work", deps, signal)])).toEqual([
      runId,
      runId,
    ]);
    expect(await listRunIds(store, { tenant: defaultTenant })).toEqual([runId]);
  });

  it("has one run though two processes make it at once", async () => {
    const ids = await Promise.all([open(), open()].map((one) => one.bind("work", deps, signal)));
    expect(new Set(ids).size).toBe(1);
    expect(await open().bind("work", deps, signal)).toBe(ids[0]);
  });

  it("gives a new run where its own is not in the store any more", async () => {
    const runId = await open().bind("work", deps, signal);
    await rm(at("home"), { recursive: true });
    const next = await open().bind("work", deps, signal);
    expect(next).not.toBe(runId);
    expect(await open().bind("work", deps, signal)).toBe(next);
  });

  it("gets what the run writes, and nothing of its book-keeping and its copies", async () => {
    const directories = open();
    const runId = await directories.bind("work", deps, signal);
    await write(runId, "research.md", "# Research\n");
    await write(runId, ".nova/sections/one.md", "One.\n");
    await directories.bringBack(runId, deps);
    expect(directories.report(runId)).toEqual({
      path: at("work"),
      takenOver: [],
      written: [".nova/sections/one.md", "research.md"],
      kept: [],
      problems: [],
    });
    expect(await read("research.md")).toBe("# Research\n");
    expect(await readdir(at("work/.nova"))).toEqual(["proofroom.json", "sections"]);
    await directories.bringBack(runId, deps);
    expect(directories.report(runId).written).toEqual([]);
    await write(runId, "research.md", "# Research, again\n");
    await directories.bringBack(runId, deps);
    expect(await read("research.md")).toBe("# Research, again\n");
  });

  it("has its edits taken over as a person's versions, and not the leftovers of what the run wrote", async () => {
    const directories = open();
    const runId = await directories.bind("work", deps, signal);
    await write(runId, "article.md", "First.\n");
    await directories.bringBack(runId, deps);
    directories.report(runId);
    await write(runId, "article.md", "Second.\n");
    // The folder still has the first.
    await open().bind("work", deps, signal);
    expect((await newest(runId, "article.md")).text).toBe("Second.\n");
    await put("article.md", "By hand.\n");
    await put(".nova/sections/two.md", "Two, by hand.\n");
    await put("article_guideline.md", `${guideline}- <https://example.org/a>\n`);
    await directories.bind("work", deps, signal);
    expect(directories.report(runId).takenOver.sort()).toEqual([
      ".nova/sections/two.md",
      "article.md",
      "article_guideline.md",
    ]);
    expect(await newest(runId, "article.md")).toEqual({ author: "person", n: 3, text: "By hand.\n" });
    expect(await newest(runId, ".nova/sections/two.md")).toMatchObject({ author: "person" });
    expect(await newest(runId, artifact.guideline)).toMatchObject({ author: "person", n: 2 });
    await directories.bind("work", deps, signal);
    expect(directories.report(runId).takenOver).toEqual([]);
  });

  it("keeps an edit that was made while the run wrote the same file, says so, and counts it the next time", async () => {
    const directories = open();
    const runId = await directories.bind("work", deps, signal);
    await write(runId, "article.md", "First.\n");
    await directories.bringBack(runId, deps);
    await put("article.md", "By hand.\n");
    await write(runId, "article.md", "Second.\n");
    await directories.bringBack(runId, deps);
    expect(directories.report(runId)).toMatchObject({ kept: ["article.md"] });
    expect(await read("article.md")).toBe("By hand.\n");
    await directories.bind("work", deps, signal);
    expect(await newest(runId, "article.md")).toEqual({ author: "person", n: 3, text: "By hand.\n" });
  });

  it("gets a guideline that was put into the run, unless its own was edited", async () => {
    const directories = open();
    const runId = await directories.bind("work", deps, signal);
    await write(runId, artifact.guideline, "# Put\n", "person");
    await directories.bind("work", deps, signal);
    expect((await newest(runId, artifact.guideline)).text).toBe("# Put\n");
    await directories.bringBack(runId, deps);
    expect(await read("article_guideline.md")).toBe("# Put\n");
  });

  it("has its local sources copied again where they have changed, and only those", async () => {
    const directories = open();
    const runId = await directories.bind("work", deps, signal);
    await put("notes.md", "Retries need a limit and a pause.\n");
    await put("new.md", "New.\n");
    await put("article_guideline.md", guideline.replace("- [more](more/)", "- [new](new.md)"));
    await directories.bind("work", deps, signal);
    expect(await uploads(runId)).toMatchObject([
      { path: "notes.md", revision: expect.any(String) },
      { path: "new.md", revision: expect.any(String) },
    ]);
    expect(await upload(runId, "notes.md")).toBe("Retries need a limit and a pause.\n");
    const before = (await newest(runId, artifact.uploads)).n;
    await directories.bind("work", deps, signal);
    expect((await newest(runId, artifact.uploads)).n).toBe(before);
    await put("new.md", "Newer.\n");
    await directories.bind("work", deps, signal);
    expect((await newest(runId, artifact.uploads)).n).toBe((before ?? 0) + 1);
  });

  it("that the reference system left gives its evidence, its article as a person's, and keeps its other files", async () => {
    const prose =
      "A client that waits longer before each attempt gives the server time to recover. A little randomness keeps many clients from coming back at the same moment. A deadline ends the attempts before the caller has lost interest in the answer.";
    await put(".nova/urls_from_guidelines/backoff.md", `# Backoff\n\n${prose}\n`);
    await put("research.md", "# Research\n\nTheirs.\n");
    await put("article.md", "# Theirs\n");
    await put(".nova/critic_evaluation.json", '{"overall_score":70}');
    const directories = open();
    const runId = await directories.bind("work", deps, signal);
    expect((await newest(runId, "research.md")).text).toContain("waits longer");
    expect(await newest(runId, "article.md")).toMatchObject({ author: "person", text: "# Theirs\n" });
    await write(runId, ".nova/critic_evaluation.json", "{}");
    await directories.bringBack(runId, deps);
    expect(directories.report(runId)).toMatchObject({ takenOver: ["article.md"], kept: [] });
    expect(await read(".nova/imported/research.md")).toBe("# Research\n\nTheirs.\n");
    expect(await read("research.md")).toContain("waits longer");
    expect(await read(".nova/imported/critic_evaluation.json")).toBe('{"overall_score":70}');
    expect(await read(".nova/critic_evaluation.json")).toBe("{}");
    expect(await read("article.md")).toBe("# Theirs\n");
  });
});

describe("a folder is refused", () => {
  it.each([
    ["that does not exist", () => "nowhere", "not_found"],
    ["that is a file", () => "work/notes.md", "invalid_input"],
    ["that is the root", () => "/", "invalid_input"],
    ["that is the home", () => homedir(), "invalid_input"],
    ["that holds the home", () => dirname(homedir()), "invalid_input"],
    ["in the store of runs", () => "home/runs/x", "invalid_input"],
    ["without a guideline", () => "work/more", "not_found"],
    ["whose name is no name", () => "work\0", "not_found"],
  ])("%s", async (_what, path, code) => {
    await mkdir(at("home/runs/x"), { recursive: true });
    await expect(open().bind(path(), deps, signal)).rejects.toMatchObject({
      code,
      remedy: expect.any(String),
    });
    expect(await readdir(at("work/more"))).toEqual(["a.md"]);
  });

  it("whose guideline is a link that leads out of it", async () => {
    await rm(at("work/article_guideline.md"));
    await writeFile(at("secret.md"), "# Secret\n");
    await symlink(at("secret.md"), at("work/article_guideline.md"));
    await expect(open().bind("work", deps, signal)).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("in the store of runs, wherever that is and whichever link leads there", async () => {
    await mkdir(at("elsewhere/runs/x"), { recursive: true });
    await writeFile(at("elsewhere/runs/x/article_guideline.md"), guideline);
    await symlink(at("elsewhere"), at("alias"));
    for (const env of [
      { PROOFROOM_STORE: `file:${at("elsewhere")}` },
      { PROOFROOM_STORE: `file:${at("alias")}` },
      { PROOFROOM_HOME: at("alias") },
    ]) {
      const bound = open(env).bind("elsewhere/runs/x", deps, signal);
      await expect(bound).rejects.toMatchObject({ code: "invalid_input" });
    }
  });

  it("that takes no note, and no run is made for it", async () => {
    await mkdir(at("outside"));
    await symlink(at("outside"), at("work/.nova"));
    await expect(open().bind("work", deps, signal)).rejects.toMatchObject({ code: "invalid_input" });
    expect(await listRunIds(store, { tenant: defaultTenant })).toEqual([]);
    expect(await readdir(at("outside"))).toEqual([]);
  });

  it("that holds more than an article's material", async () => {
    await put("large.bin", "");
    await truncate(at("work/large.bin"), 65 * 1024 * 1024);
    await expect(open().bind("work", deps, signal)).rejects.toMatchObject({ code: "too_large" });
  });
});

describe("the note of a folder", () => {
  it("takes over nothing that a run keeps about itself, nor what is no result", async () => {
    const directories = open();
    const runId = await directories.bind("work", deps, signal);
    const names = [
      ".nova/run.json",
      ".nova/ledger/steps/x.json",
      ".nova/inputs/x.json",
      ".nova/proofroom.json",
    ];
    const note = JSON.parse(await read(".nova/proofroom.json"));
    for (const name of [...names, "run.json", "notes.md", "../secret.md"])
      note.files[name] = { sha256: "0".repeat(64), version: 0 };
    for (const name of names) await put(name, "{}");
    await put("run.json", "{}");
    await put(".nova/proofroom.json", JSON.stringify(note));
    await directories.bind("work", deps, signal);
    expect(directories.report(runId)).toMatchObject({ takenOver: [], problems: [] });
    expect(await describeRun(store, runId)).toMatchObject({ title: "Retrying" });
    for (const name of [...names, "run.json", "notes.md"])
      expect([name, (await newest(runId, name)).text]).toEqual([name, null]);
  });
});

describe("a link in a folder", () => {
  it("that leads out of it gives no file into the run, and takes none from it", async () => {
    const directories = open();
    const runId = await directories.bind("work", deps, signal);
    await mkdir(at("outside"));
    await writeFile(at("outside/secret.md"), "secret");
    await symlink(at("outside"), at("work/.nova/sections"));
    await symlink(at("outside/secret.md"), at("work/article.md"));
    await directories.bind("work", deps, signal);
    expect((await newest(runId, "article.md")).text).toBeNull();
    await write(runId, ".nova/sections/one.md", "One.\n");
    await write(runId, "article.md", "Ours.\n");
    await directories.bringBack(runId, deps);
    const { problems, written } = directories.report(runId);
    expect(written).toEqual([]);
    expect(problems.join("\n")).toContain(".nova/sections");
    expect(problems.join("\n")).toContain("article.md");
    expect(await readdir(at("outside"))).toEqual(["secret.md"]);
    expect(await readFile(at("outside/secret.md"), "utf8")).toBe("secret");
  });
});
