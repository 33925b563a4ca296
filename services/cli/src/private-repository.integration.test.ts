import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type GitServer,
  git,
  makeTempFolder,
  onlyWith,
  putFiles,
  startGitServer,
  type TempFolder,
} from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { runCli } from "./testing/run-cli.ts";

const token = "canary-b81d5e";
const pair = Buffer.from(`oauth2:${token}`).toString("base64");
const leak = new RegExp(`${token}|${pair}`);

let folder: TempFolder;
let server: GitServer;

beforeEach(async () => {
  folder = await makeTempFolder();
  const work = join(folder.path, "work");
  await putFiles(work, {
    "notes/flow.md":
      "# Flow\n\nA flow meter reports the volume that passes a pipe in one second. The controller closes the valve when the flow exceeds the limit.\n",
  });
  git(work, "init", "-q", "-b", "feature/flow");
  git(work, "add", "-A");
  git(work, "commit", "-q", "-m", "one");
  git(folder.path, "clone", "-q", "--bare", "work", "served/o/r.git");
  server = await startGitServer(join(folder.path, "served"));
  server.rules.set("/", onlyWith(`Basic ${pair}`));
});

afterEach(async () => {
  await server.close();
  await folder.close();
});

/** What stands in every file of a folder. */
async function allOf(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (
    await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1")))
  ).join("\n");
}

async function write(env: Record<string, string>) {
  const home = join(folder.path, "home");
  const out = join(folder.path, "out");
  const done = await runCli(["write", "guideline.md", "--json", "--out", out], {
    home,
    cwd: folder.path,
    env: { PROOFROOM_ALLOW_HOSTS: server.host, PROOFROOM_LOG: "debug", ...env },
  });
  return { ...done, result: JSON.parse(done.stdout) as RunResult, home };
}

it("a run on a private repository cites it, and leaves its token in no file, log, result or page", {
  timeout: 120_000,
}, async () => {
  await writeFile(
    join(folder.path, "guideline.md"),
    `# Guideline: Measuring flow\n\n## Section 1 - The flow meter\n- A flow meter reports the volume\n- Section length: 60 words\n\n## Sources\n- <http://${server.host}/o/r.git/blob/feature/flow/notes/flow.md>\n`,
  );
  const { result, stdout, stderr, home } = await write({ PROOFROOM_GIT_TOKENS: `${server.host}=${token}` });
  expect(stderr).not.toContain("error:");
  expect(result.status).toBe("succeeded");
  const run = join(home, "runs", result.run_id);
  expect(await readFile(join(run, "research.md"), "utf8")).toContain("reports the volume that passes");
  const copies = await readdir(join(run, ".nova/urls_from_guidelines_code"));
  expect(copies).toEqual(["o_r_feature_flow_notes_flow.md"]);
  expect(stdout + stderr).not.toMatch(leak);
  expect(await allOf(home)).not.toMatch(leak);
  expect(await allOf(join(folder.path, "out"))).not.toMatch(leak);
});

it("without its token, or with one that is refused, a run tells which setting to give", {
  timeout: 120_000,
}, async () => {
  await writeFile(
    join(folder.path, "guideline.md"),
    `# Guideline: Measuring flow\n\n## Section 1 - The flow meter\n- Section length: 60 words\n\n## Sources\n- <http://${server.host}/o/r.git>\n`,
  );
  const without = await write({});
  expect(without.code).not.toBe(0);
  const of = async ({ home, result }: typeof without) =>
    readFile(join(home, "runs", result.run_id, ".nova/gathered/process_github_urls.json"), "utf8");
  expect(await of(without)).toContain("PROOFROOM_GIT_TOKENS (host=token)");
  const refused = await write({ PROOFROOM_GIT_TOKENS: `${server.host}=${token}-old` });
  expect(await of(refused)).toContain("does not accept the token in PROOFROOM_GIT_TOKENS");
  expect((await allOf(refused.home)) + refused.stdout + refused.stderr).not.toMatch(leak);
});
