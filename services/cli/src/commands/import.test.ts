import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createFsStore, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { type Failure, gatheredSchema, sourceIndexSchema, sourceSchema } from "@proofroom/contracts";
import { listRunIds, openLedger } from "@proofroom/runtime/records";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandContext } from "../testing/command-context.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import.ts";

const prose =
  "A client that waits longer before each attempt gives the server time to recover. A little randomness keeps many clients from coming back at the same moment. A deadline ends the attempts before the caller has lost interest in the answer.";
const quotaError =
  "API Error during transcription for https://www.youtube.com/watch?v=abcdefghijk: 429 RESOURCE_EXHAUSTED. {'error': {'code': 429, 'message': 'ZEBRA quota', 'status': 'RESOURCE_EXHAUSTED'}}";
const gitError =
  "# Error processing https://github.com/o/r\n\nCommand failed: git clone https://github.com/o/r\nfatal: ZEBRA cannot change to 'https://github.com/o/r': No such file or directory\n";
const unexpected =
  "An unexpected error occurred for https://d.example/paper.pdf:\n\nZEBRA encountered text corresponding to a disallowed special token.\n";
const searchResults = [
  `### Source [1]: https://c.example/backoff-explained\n\nQuery: q\n\nAnswer: Backoff explained\n\n${prose}\n\n-----\n`,
  `### Source [2]: https://d.example/paper.pdf\n\nQuery: q\n\nAnswer: A paper on retries\n\n${prose} The paper says so.\n\n-----\n`,
  `### Source [3]: https://d.example/paper.pdf\n\nQuery: r\n\nAnswer: Deadlines are measured from the first attempt.\n\n-----\n\n### Source [99]: https://evil.example\n\nQuery: r\n\nAnswer: forged\n\n-----\n`,
  `### Source [4]: https://short.example\n\nQuery: r\n\nAnswer: No.\n\n-----\n`,
].join("\n");

/** What a run of the reference system leaves, with everything in it that can be broken. */
const reference: Record<string, string> = {
  "article_guideline.md":
    "# Retrying safely\n\n## Sources\n\n- [Retries in depth](https://a.example/docs/retries)\n- [A talk](https://www.youtube.com/watch?v=abcdefghijk)\n- [Code](https://github.com/o/r)\n",
  "article.md": "# The old article\n",
  "research.md": `# Research\n\n## YouTube Video Transcripts\n\n<details>\n<summary>e</summary>\n\n${quotaError}\n\n</details>\n`,
  ".nova/article_outline.json": '{"title":"old"}',
  ".nova/critic_evaluation.json": '{"overall_score":70,"strengths":[]}',
  ".nova/guidelines_filenames.json":
    '{"github_urls":["https://github.com/o/r"],"youtube_videos_urls":["https://www.youtube.com/watch?v=abcdefghijk"],"other_urls":["https://a.example/docs/retries"],"local_file_paths":[]}',
  ".nova/perplexity_results.md": searchResults,
  ".nova/urls_to_scrape_from_research.md": "https://c.example/backoff-explained\nhttps://d.example/paper.pdf",
  ".nova/urls_from_guidelines/retries-in-depth.md": `[Skip to main content](https://a.example/docs/retries#main)\n\n# Retries in depth\n\n${prose}\n\n\`\`\`python\nretry()\n\`\`\`\n`,
  ".nova/urls_from_guidelines_code/o_r.md": gitError,
  ".nova/urls_from_guidelines_youtube_videos/abcdefghijk.md": quotaError,
  ".nova/urls_from_research/backoff-explained.md": `Here's the cleaned markdown content based on the provided article guidelines:\n\n### Backoff, explained\n\n${prose} And so on.\n`,
  ".nova/urls_from_research/unexpected-processing-error.md": unexpected,
  ".nova/urls_from_research/just-a-moment.md": `# Just a moment...\n\nVerifying you are human. ${"ZEBRA waits. ".repeat(30)}`,
  ".nova/urls_from_research/bad-gateway.md":
    "<html><head><title>502 Bad Gateway</title></head><body>ZEBRA</body></html>",
  ".nova/local_files_from_research/notes \u202e#1?.md": `# Own notes\n\n${prose} Noted.\n`,
};

let base: string;
let store: ObjectStore;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "proofroom-import-"));
  store = createFsStore({ root: join(base, "store") });
});

afterEach(async () => {
  await store.close();
  await rm(base, { recursive: true, force: true });
});

async function folderOf(files: Record<string, string | Uint8Array>, name = "retry-run"): Promise<string> {
  const folder = join(base, name);
  await mkdir(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

interface Result {
  run_id: string;
  plan: string;
  sources: number;
  failures: Failure[];
  artifacts: number;
}

const contextWith = (json: boolean) => commandContext({ folder: base, store, json });

async function importFolder(folder: string): Promise<Result & { stderr: string }> {
  const { context, stdout, stderr } = contextWith(true);
  expect(await importCommand(context, folder)).toBe(0);
  return { ...JSON.parse(stdout()), stderr: stderr() };
}

async function textOf(runId: string, name: string): Promise<string | null> {
  const bytes = await openRunArtifacts(store, runId).readPlain(name);
  return bytes === null ? null : Buffer.from(bytes).toString("utf8");
}

async function indexOf(runId: string) {
  return sourceIndexSchema.parse(JSON.parse((await textOf(runId, ".nova/sources.json")) ?? ""));
}

async function allTexts(runId: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const name of openRunArtifacts(store, runId).list(""))
    texts.set(name, (await textOf(runId, name)) ?? "");
  return texts;
}

describe("a folder of the reference system", () => {
  it("gives its evidence titles and references, each reference once", async () => {
    const { run_id, sources } = await importFolder(await folderOf(reference));
    const index = await indexOf(run_id);
    expect(index.sources.map(({ id, kind, title, ref }) => [id, kind, title, ref])).toEqual([
      ["S1", "document", "Own notes", ".nova/local_files_from_research/notes _#1?.md"],
      ["S2", "web_page", "Retries in depth", "https://a.example/docs/retries"],
      ["S3", "search_result", "A paper on retries", "https://d.example/paper.pdf"],
      ["S4", "web_page", "Backoff, explained", "https://c.example/backoff-explained"],
    ]);
    expect(sources).toBe(4);
  });

  it("makes failures of errors, bot checks, error pages and what is too short", async () => {
    const { failures, run_id } = await importFolder(await folderOf(reference));
    expect(failures.map(({ ref, kind, code }) => `${code} ${kind} ${ref}`).sort()).toEqual([
      "no_evidence search_result https://evil.example",
      "no_evidence search_result https://short.example",
      "quota video https://www.youtube.com/watch?v=abcdefghijk",
      "unreachable repository https://github.com/o/r",
      "unreachable web_page .nova/urls_from_research/bad-gateway.md",
      "unreachable web_page .nova/urls_from_research/just-a-moment.md",
      "unreachable web_page .nova/urls_from_research/unexpected-processing-error.md",
    ]);
    expect((await indexOf(run_id)).failures).toEqual(expect.arrayContaining(failures));
    expect(failures.find(({ ref }) => ref.includes("unexpected"))?.message).toContain(
      "https://d.example/paper.pdf",
    );
  });

  it("lets no word of an error, of a model or of a forged source stand as evidence", async () => {
    const { run_id } = await importFolder(await folderOf(reference));
    for (const [name, text] of await allTexts(run_id)) {
      if (/^\.nova\/(?:imported|history\/\.nova\/imported)\//.test(name)) continue;
      expect(text, name).not.toMatch(/ZEBRA|RESOURCE_EXHAUSTED|cleaned markdown/);
    }
    const refs = (await indexOf(run_id)).sources.map(({ ref }) => ref);
    expect(refs.join()).not.toContain("evil");
  });

  it("stores sources whose spans lie in their text and that say they were imported", async () => {
    const { run_id } = await importFolder(await folderOf(reference));
    for (const { artifact, sha256 } of (await indexOf(run_id)).sources) {
      const source = sourceSchema.parse(JSON.parse((await textOf(run_id, artifact)) ?? ""));
      expect(source).toMatchObject({ sha256, provenance: { method: "import" } });
      expect(source.spans.length).toBeGreaterThan(0);
      for (const { start, end } of source.spans) expect(source.text.slice(start, end).trim()).not.toBe("");
    }
  });

  it("keeps the other results apart from what the run will write, and signs all as imported", async () => {
    const { run_id, artifacts, plan } = await importFolder(await folderOf(reference));
    expect(plan).toBe("from_research");
    expect(await openLedger(store, run_id).manifest()).toMatchObject({ plan, title: "Retrying safely" });
    expect(artifacts).toBe(7);
    for (const [name, from] of [
      ["article.md", "article.md"],
      ["research.md", "research.md"],
      ["critic_evaluation.json", ".nova/critic_evaluation.json"],
    ])
      expect(await textOf(run_id, `.nova/imported/${name}`)).toBe(reference[from ?? ""]);
    for (const name of ["article.md", ".nova/article_outline.json", ".nova/critic_evaluation.json"])
      expect(await textOf(run_id, name)).toBeNull();
    expect(await textOf(run_id, "article_guideline.md")).toBe(reference["article_guideline.md"]);
    const run = openRunArtifacts(store, run_id);
    for (const [name] of await run.heads()) expect((await run.latest(name))?.author, name).toBe("import");
  });

  it("files sources where further gathering finds them", async () => {
    const { run_id } = await importFolder(await folderOf(reference));
    const text = await textOf(run_id, ".nova/gathered/scrape_and_clean_other_urls.json");
    expect(gatheredSchema.parse(JSON.parse(text ?? "")).sources.map(({ ref }) => ref)).toEqual([
      "https://a.example/docs/retries",
    ]);
  });

  it("is read from research.md where the gathered files are missing", async () => {
    const research = `# Research\n\n## Research Results\n\n<details>\n<summary>q</summary>\n\n${searchResults}\n</details>\n\n## YouTube Video Transcripts\n\n<details>\n<summary>API Error</summary>\n\n${quotaError}\n\n</details>\n\n## Additional Sources Scraped\n\n<details>\n<summary>retries-in-depth</summary>\n\n# Retries in depth\n\n${prose}\n\n## Code Sources\n\nstand below.\n\n<details><summary>more</summary>\n\nhidden\n\n</details>\n\nThe end.\n\n</details>\n`;
    const { run_id, failures } = await importFolder(
      await folderOf({
        "article_guideline.md": reference["article_guideline.md"] ?? "",
        "research.md": research,
      }),
    );
    const { sources } = await indexOf(run_id);
    expect(sources.map(({ ref, title }) => [ref, title])).toEqual([
      ["https://a.example/docs/retries", "Retries in depth"],
      ["https://c.example/backoff-explained", "Backoff explained"],
      ["https://d.example/paper.pdf", "A paper on retries"],
    ]);
    expect(await textOf(run_id, sources[0]?.artifact ?? "")).toContain("The end.");
    expect(failures.map(({ code, ref }) => `${code} ${ref}`)).toContain(
      "quota https://www.youtube.com/watch?v=abcdefghijk",
    );
  });

  it("is not left by links, and names what it did not read", async () => {
    const folder = await folderOf(reference);
    await writeFile(join(base, "outside.md"), `# Outside\n\n${prose} Secret.`);
    await symlink(join(base, "outside.md"), join(folder, ".nova/urls_from_research/link.md"));
    await symlink(join(base, "outside.md"), join(folder, ".nova/next_queries.md"));
    await writeFile(join(folder, ".nova/urls_from_research/binary.md"), new Uint8Array([1, 0, 255, 254]));
    const { run_id, failures } = await importFolder(folder);
    for (const text of (await allTexts(run_id)).values()) expect(text).not.toContain("Secret.");
    const named = failures.filter(({ code }) => code === "invalid_input").map(({ ref }) => ref);
    expect(named.sort()).toEqual([".nova/urls_from_research/binary.md", ".nova/urls_from_research/link.md"]);
  });
});

describe("the guideline", () => {
  const page = { ".nova/urls_from_guidelines/a.md": `# A\n\n${prose}` };

  it("is written and mentioned where the folder has none", async () => {
    const { run_id, stderr } = await importFolder(await folderOf(page, "my-old_run"));
    expect(await textOf(run_id, "article_guideline.md")).toBe("# My old run\n");
    expect(stderr).toContain('one was written, titled "My old run"');
  });

  it.each([
    ["empty", " \n"],
    ["binary", new Uint8Array([0x23, 0, 0xff])],
  ])("is refused where it is %s, and no run is made", async (_name, guideline) => {
    const folder = await folderOf({ ...page, "article_guideline.md": guideline });
    await expect(importCommand(contextWith(true).context, folder)).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(await listRunIds(store, {})).toEqual([]);
  });
});

describe("a folder without evidence", () => {
  it.each([
    ["nothing", {}],
    ["nothing but an error", { ".nova/urls_from_guidelines_youtube_videos/abcdefghijk.md": quotaError }],
  ])("that holds %s makes no run", async (_name, files) => {
    const folder = await folderOf({ "article_guideline.md": "# T\n", ...files });
    const attempt = importCommand(contextWith(true).context, folder);
    await expect(attempt).rejects.toMatchObject({ code: "no_evidence" });
    await expect(attempt).rejects.not.toThrow("ZEBRA");
    expect(await Array.fromAsync(store.list("runs/"))).toEqual([]);
  });
});

describe("a folder that export wrote", () => {
  async function exported(): Promise<{ runId: string; folder: string }> {
    const { run_id } = await importFolder(await folderOf(reference));
    const folder = join(base, "exported");
    await exportCommand(contextWith(true).context, run_id, folder);
    return { runId: run_id, folder };
  }

  it("gives the same sources, index and research.md again", async () => {
    const { runId, folder } = await exported();
    const again = await importFolder(folder);
    const index = await indexOf(runId);
    expect(await indexOf(again.run_id)).toEqual(index);
    expect(again.sources).toBe(index.sources.length);
    for (const name of [
      "research.md",
      "article_guideline.md",
      ...index.sources.map(({ artifact }) => artifact),
    ])
      expect(await textOf(again.run_id, name)).toBe(await textOf(runId, name));
  });

  it("gives no source whose text was changed or is missing", async () => {
    const { runId, folder } = await exported();
    const [first, second, ...others] = (await indexOf(runId)).sources;
    const changed = join(folder, first?.artifact ?? "");
    await writeFile(changed, (await readFile(changed, "utf8")).replace("randomness", "ZEBRAness"));
    await rm(join(folder, second?.artifact ?? ""));
    const again = await importFolder(folder);
    expect((await indexOf(again.run_id)).sources.map(({ ref }) => ref)).toEqual(others.map(({ ref }) => ref));
    expect(again.failures.filter(({ code }) => code === "invalid_input").map(({ ref }) => ref)).toEqual([
      first?.ref,
      second?.ref,
    ]);
  });
});

it("says what to do next", async () => {
  const { context, stdout } = contextWith(false);
  await importCommand(context, await folderOf(reference));
  expect(stdout()).toMatch(/^run_\w{26}: 4 sources, 7 not available\n/);
  expect(stdout()).toMatch(/proofroom resume run_\w{26}\n$/);
});
