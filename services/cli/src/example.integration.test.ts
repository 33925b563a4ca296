import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OutputOf, verifyCitations } from "@proofroom/contracts";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { withoutColophon } from "./testing/colophon.ts";
import { runCli } from "./testing/run-cli.ts";

let folder: TempFolder;
let runs: { home: string; out: string; code: number | null; result: RunResult }[];

async function writeExample(name: string) {
  const home = join(folder.path, name);
  const out = join(folder.path, `${name}-out`);
  const done = await runCli(["write", "--example", "--json", "--out", out], { home, cwd: folder.path });
  return { home, out, code: done.code, result: JSON.parse(done.stdout) as RunResult };
}

beforeAll(async () => {
  folder = await makeTempFolder();
  runs = [await writeExample("first"), await writeExample("second")];
}, 120_000);

afterAll(() => folder.close());

function first() {
  const [run] = runs;
  if (run === undefined) throw new Error("the example did not run");
  return run;
}

function chromiumPath(): string {
  const found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
    existsSync(path),
  );
  if (found === undefined) throw new Error("Chromium is needed for this test; npm test installs it");
  return found;
}

describe("the example", () => {
  it("is approved, with every citation verified and every block of code run", () => {
    const { code, result } = first();
    expect(result.error).toBeNull();
    expect(result).toMatchObject({ status: "succeeded", article: "approved", reasons: [] });
    expect(code).toBe(0);
    expect(Object.keys(result.files).sort()).toEqual(["article", "page", "research"]);
    expect(result.verified.citations?.supported).toBe(result.verified.citations?.cited);
    expect(result.verified.citations?.cited).toBeGreaterThan(20);
    expect(result.verified.code?.passed).toBe(result.verified.code?.blocks);
    expect(result.verified.code?.blocks).toBeGreaterThan(1);
  });

  it("gives the same article and page in every run", async () => {
    const [one, two] = await Promise.all(runs.map(({ out }) => readFile(join(out, "article.md"), "utf8")));
    expect(one).toBe(two);
    expect(one).not.toContain(folder.path);
    const pages = await Promise.all(
      runs.map(async ({ out }) => withoutColophon(await readFile(join(out, "article.html"), "utf8"))),
    );
    expect(pages[0]).toBe(pages[1]);
    expect(pages[0]).not.toContain(first().result.run_id);
  });

  it("opens offline: no request, no error, and every citation leads to its reference and its evidence", async () => {
    const browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    });
    try {
      const page = await browser.newPage();
      const requests: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      const url = pathToFileURL(join(first().out, "article.html")).href;
      await page.goto(url, { waitUntil: "networkidle" });
      expect(requests).toEqual([url]);
      expect(complaints).toEqual([]);
      const broken = await page.evaluate<string[]>(`
        [...document.querySelectorAll("a[href^='#']")]
          .map((link) => decodeURIComponent(link.getAttribute("href")).slice(1))
          .filter((id) => id !== "" && document.getElementById(id) === null)`);
      expect(broken).toEqual([]);
      const cited = await page.evaluate<number>(`document.querySelectorAll("a[href^='#ref-']").length`);
      expect(cited).toBeGreaterThan(20);
      const unlinked = await page.evaluate<string[]>(`
        [...document.querySelectorAll("main p")].flatMap((paragraph) => {
          const copy = paragraph.cloneNode(true);
          for (const link of copy.querySelectorAll("a")) link.remove();
          return copy.textContent.match(/\\[\\d+\\]/g) ?? [];
        })`);
      expect(unlinked).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

describe("the example with planted defects", { timeout: 120_000 }, () => {
  async function tool(name: string): Promise<Record<string, unknown>> {
    const { home, result } = first();
    const done = await runCli(["tool", name, "--run", result.run_id, "--json"], { home });
    expect(done.stderr).not.toContain("error:");
    return JSON.parse(done.stdout) as Record<string, unknown>;
  }

  it("is sent back with a revision for each of them", async () => {
    const { home, result } = first();
    const path = join(home, "runs", result.run_id, "article.md");
    const article = await readFile(path, "utf8");
    const sections = article.split(/^(?=## )/m);
    const planted = sections
      .filter((section) => !section.startsWith("## Retry budgets"))
      .join("")
      .replace(
        "## Timeouts and deadlines\n",
        "## Timeouts and deadlines\n\nThe first ocean liner with steel masts crossed the Baltic in 1862. [1]\n\n```python\nraise SystemExit(3)\n```\n",
      );
    expect(planted).not.toBe(article);
    await writeFile(path, planted);
    await tool("extract_and_validate_code");
    expect(await tool("execute_sandbox_tests")).toMatchObject({ failed: 1 });
    const citations = (await tool("verify_citations")) as OutputOf<typeof verifyCitations>;
    expect(citations.unsupported + citations.unresolved).toBeGreaterThan(0);
    expect(await tool("critic_evaluate_article")).toMatchObject({ status: "REVISE" });
    const critique = JSON.parse(
      await readFile(join(home, "runs", result.run_id, ".nova", "critic_evaluation.json"), "utf8"),
    ) as { required_revisions: { kind: string; blocking: boolean; section: string }[] };
    const blocking = critique.required_revisions
      .filter((revision) => revision.blocking)
      .map(({ kind, section }) => `${kind} in ${section}`);
    expect(blocking).toContain("failing_code in section_3");
    expect(blocking).toContain("unsupported_citation in section_3");
    expect(blocking).toContain("missing_section in section_4");
    const refused = await runCli(["tool", "export_publication_bundle", "--run", result.run_id, "--json"], {
      home,
    });
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "conflict" } });
  });

  it("keeps the person's text in the history when the run is resumed, and says what was done", async () => {
    const { home, result, out } = first();
    const resumed = await runCli(["resume", result.run_id, "--json", "--out", out], { home });
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: "succeeded" });
    const status = await runCli(["status", result.run_id, "--json"], { home });
    expect(JSON.parse(status.stdout)).toMatchObject({ status: "succeeded" });
    const article = await readFile(join(out, "article.md"), "utf8");
    expect(article).not.toContain("ocean liner");
    expect(article).toContain("## Retry budgets");
  });
});
