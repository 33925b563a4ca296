import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Answer,
  connectLegacyStdio,
  eventually,
  followPrompts,
  makeTempFolder,
  type Peer,
  type TempFolder,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withoutColophon } from "./testing/colophon.ts";
import { runCli } from "./testing/run-cli.ts";
import { writeSmallGuideline } from "./testing/small-guideline.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

/** For a whole run, in milliseconds. */
const patience = 60_000;

let folder: TempFolder;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await makeTempFolder();
  await mkdir(at("other"));
  const guideline = await writeSmallGuideline(at("work"));
  await rename(guideline, at("work/article_guideline.md"));
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await folder.close();
});

const at = (path: string) => join(folder.path, path);
const read = (name: string) => readFile(at(name), "utf8");

async function connect(inlineMs: number): Promise<Peer> {
  const peer = await connectLegacyStdio({
    command: process.execPath,
    args: [main, "mcp", "--inline-ms", String(inlineMs)],
    cwd: folder.path,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: at("home"),
      PROOFROOM_HOME: at("home"),
      PROOFROOM_NO_INSTALL: "1",
    },
    onUnparsable: () => undefined,
  });
  closers.push(() => peer.close());
  return peer;
}

function directoryOf(answer: Answer) {
  return answer.structuredContent?.["directory"] as Record<string, string[]>;
}

describe("a folder as the reference system has it", { timeout: 120_000 }, () => {
  it("is worked on by job handles to the article that `write` makes of its guideline", async () => {
    const peer = await connect(0);
    await followPrompts(peer, { research_directory: "work" });
    const out = at("out");
    const args = ["write", at("work/article_guideline.md"), "--out", out];
    expect((await runCli(args, { home: at("other") })).stderr).not.toContain("error:");
    for (const name of ["research.md", "article.md"])
      expect(await read(`work/${name}`)).toBe(await read(`out/${name}`));
    expect(withoutColophon(await read("work/article.html"))).toBe(
      withoutColophon(await read("out/article.html")),
    );
    expect(JSON.parse(await read("work/.nova/critic_evaluation.json"))).toMatchObject({
      status: expect.any(String),
    });
  });

  it("takes an edit for a person's, has it checked, and writes nothing over it", async () => {
    const peer = await connect(25_000);
    const research_directory = at("work");
    for (const tool of ["extract_guidelines_urls", "process_local_files", "create_research_file"])
      await peer.call(tool, { research_directory });
    await writeFile(at("work/article.md"), "# By hand\n\n## One\n\nNobody ever said so. [1]\n");
    const checked = await peer.call("verify_citations", { research_directory, round: 0 });
    expect(directoryOf(checked)["taken_over"]).toEqual(["article.md"]);
    expect(directoryOf(checked)["written"]).toContain(".nova/citations.json");
    expect(checked.structuredContent).toMatchObject({ output: { supported: 0 } });
    expect(await read("work/article.md")).toContain("Nobody ever said so.");
    const again = await peer.call("verify_citations", { research_directory, round: 0 });
    expect(again.structuredContent?.["job_id"]).toBe(checked.structuredContent?.["job_id"]);
    await writeFile(at("work/article.md"), "# By hand\n\n## One\n\nNobody said anything. [1]\n");
    const changed = await peer.call("verify_citations", { research_directory, round: 0 });
    expect(changed.structuredContent?.["job_id"]).not.toBe(checked.structuredContent?.["job_id"]);
  });

  it("gets what the orchestrator writes, though nobody asks", async () => {
    const peer = await connect(25_000);
    await peer.call("resume_run", { research_directory: "work" });
    await eventually(async () => (await read("work/article.html").catch(() => "")) !== "", patience);
    await eventually(async () => {
      const run = await peer.call("get_run", { research_directory: "work" });
      return run.structuredContent?.["status"] === "succeeded";
    }, patience);
    expect(await read("work/article.md")).toContain("## References");
  });

  it("has its local files read anew once they have changed", async () => {
    const peer = await connect(25_000);
    const research_directory = "work";
    await peer.call("extract_guidelines_urls", { research_directory });
    await peer.call("process_local_files", { research_directory });
    const note = await read("work/notes/tide.md");
    await writeFile(at("work/notes/tide.md"), `${note}\nThe gauge is read at noon by the harbour master.\n`);
    await peer.call("process_local_files", { research_directory });
    await peer.call("create_research_file", { research_directory });
    expect(await read("work/research.md")).toContain("The gauge is read at noon");
  });
});
