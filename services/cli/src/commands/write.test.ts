import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { listRunIds } from "@proofroom/runtime/records";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandContext } from "../testing/command-context.ts";
import { createRunFrom } from "./create-run.ts";
import { writeCommand } from "./write.ts";

let folder: TempFolder;
let store: ObjectStore;
let guideline: string;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: join(folder.path, "store") });
  guideline = join(folder.path, "guideline.md");
  await writeFile(guideline, "# Guideline: T\n\n## Sources\n\n- https://example.org/a\n");
});

afterEach(() => folder.close());

const request = (options: Record<string, unknown> = {}) => ({
  guideline,
  topic: undefined,
  sources: [],
  options,
});

it("a run that cannot begin leaves nothing behind, and nobody is told its id", async () => {
  const { context, stderr } = commandContext({ folder: folder.path, store });
  const written = writeCommand(context, { ...request(), out: guideline, example: false });
  await expect(written).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("is a file"),
  });
  expect(await listRunIds(store, {})).toEqual([]);
  expect(stderr()).not.toContain("run_");
});

describe("rounds of search", () => {
  const noted = async (options: Record<string, unknown>, env: Record<string, string> = {}) => {
    const { context, stderr } = commandContext({ folder: folder.path, store, env });
    await createRunFrom(context, request(options));
    return stderr();
  };

  it("that are asked for without a provider are told of, with the settings that enable them", async () => {
    expect(await noted({ search_rounds: 2 })).toBe(
      "! --search-rounds: no search provider is set, and nothing will be searched. One of TAVILY_API_KEY, SEARXNG_BASE_URL, PERPLEXITY_API_KEY enables it.\n",
    );
  });

  it.each([
    [{}, {}],
    [{ search_rounds: 0 }, {}],
    [{ search_rounds: 2 }, { SEARXNG_BASE_URL: "http://127.0.0.1:9" }],
  ])("%j with %j are nothing to speak of", async (options, env) => {
    expect(await noted(options, env)).toBe("");
  });
});
