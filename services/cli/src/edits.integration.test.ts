import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { runCli } from "./testing/run-cli.ts";

let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(() => folder.close());

const notes = `# Notes on flow

A flow meter reports the volume that passes a pipe in one second. The following function computes the flow of a pipe:

\`\`\`python
def flow(volume, seconds):
    return volume / seconds


print(flow(1, 0))
\`\`\`

The controller closes the valve when the flow exceeds the limit. Operators read the flow meter every morning and note the volume in the log.
`;

const guideline = `# Guideline: Measuring flow

## Section 1 - The meter
- A flow meter reports the volume
- Code: a function that computes the flow
- Section length: 80 words

## Section 2 - The valve
- The controller closes the valve
- Section length: 60 words

## Sources
- \`notes.md\`
`;

function cli(...args: string[]) {
  return runCli([...args, "--json", "--out", join(folder.path, "out")], {
    home: join(folder.path, "home"),
    cwd: folder.path,
  });
}

it("a run goes on after every edit, of its article and of its guideline, in any order", {
  timeout: 120_000,
}, async () => {
  await writeFile(join(folder.path, "notes.md"), notes);
  await writeFile(join(folder.path, "guideline.md"), guideline);
  const written = JSON.parse((await cli("write", "guideline.md")).stdout) as RunResult;
  expect(written.status).toBe("succeeded");
  const run = join(folder.path, "home", "runs", written.run_id);

  async function edit(name: string, from: string, to: string): Promise<RunResult> {
    const text = await readFile(join(run, name), "utf8");
    expect(text).toContain(from);
    await writeFile(join(run, name), text.replace(from, to));
    const resumed = await cli("resume", written.run_id);
    expect(resumed.stderr).not.toContain("error:");
    return JSON.parse(resumed.stdout) as RunResult;
  }

  const guidelineEdited = await edit(
    "article_guideline.md",
    "The controller closes the valve",
    "Operators read the flow meter",
  );
  expect(guidelineEdited.status).toBe("succeeded");
  const articleEdited = await edit(
    "article.md",
    "## The valve\n",
    "## The valve\n\nA valve is a door for water.\n",
  );
  expect(articleEdited.status).toBe("succeeded");
  expect(await readFile(join(run, "article.md"), "utf8")).toContain("A valve is a door for water.");
  const again = await edit(
    "article_guideline.md",
    "Operators read the flow meter",
    "The controller closes the valve",
  );
  expect(again.status).toBe("succeeded");
});
