import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import { silentLogger } from "@proofroom/telemetry";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { GatewayDeps } from "../gateway-deps.ts";
import { allTools } from "../tools/all-tools.ts";
import { callTool } from "../tools/call-tool.ts";
import { jsonSchemaOf } from "../tools/json-schema.ts";
import { defineTool } from "../tools/tool.ts";
import { toolsetNames } from "../toolsets.ts";
import type { Directories, FolderReport } from "./directories.ts";
import { withDirectories } from "./with-directories.ts";

const runId = `run_${"0".repeat(26)}`;
const other = `run_${"1".repeat(26)}`;
const closing = new AbortController().signal;

const tool = defineTool({
  name: "look",
  toolset: "runs",
  title: "Look",
  description: "Looks at a run.",
  input: z.object({ run_id: z.string(), deep: z.boolean().optional() }).strict(),
  output: z.object({ run_id: z.string() }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  run: async ({ run_id }) => ({ text: `looked at ${run_id}`, structured: { run_id } }),
});

/** One folder that is bound, and what was asked of it. */
function oneFolder(report: Partial<FolderReport> = {}) {
  const asked: string[] = [];
  const bound = new Set<string>();
  const directories: Directories = {
    folderOf: (id) => (bound.has(id) ? "/work" : undefined),
    async bind(path) {
      asked.push(`bind ${path}`);
      bound.add(runId);
      return runId;
    },
    async bringBack(id) {
      asked.push(`bring back ${id}`);
    },
    report: () => ({ path: "/work", takenOver: [], written: [], kept: [], problems: [], ...report }),
  };
  return { directories, asked };
}

/** A log in which something happens for the run and then nothing more. */
function depsWith(types: readonly string[]): GatewayDeps {
  return {
    events: {
      position: async () => "0",
      async *follow() {
        for (const type of types) yield { type };
      },
    },
  } as unknown as GatewayDeps;
}

function caller(directories: Directories, deps = depsWith([])) {
  const [wrapped] = withDirectories([tool], directories, closing);
  return (args: unknown) =>
    callTool(wrapped ?? tool, args, {
      open: async () => deps,
      log: silentLogger(),
      inlineMs: 0,
      signal: closing,
      closing,
      progress: null,
    });
}

describe("a tool that also takes a research_directory", () => {
  it("works on the run of the folder, and tells what happened there in the text and the structured part", async () => {
    const { directories, asked } = oneFolder({ takenOver: ["article.md"], written: ["research.md"] });
    const answer = await caller(directories)({ research_directory: "a" });
    expect(asked).toEqual(["bind a", `bring back ${runId}`]);
    expect(answer.text).toBe(
      [
        `looked at ${runId}`,
        'research_directory: "/work"',
        "changed in the folder, so now a version by person: article.md",
        "written into the folder: research.md",
      ].join("\n"),
    );
    expect(answer.structured).toEqual({
      run_id: runId,
      directory: {
        path: "/work",
        taken_over: ["article.md"],
        written: ["research.md"],
        kept: [],
        problems: [],
      },
    });
  });

  it("tells of how many files it names none", async () => {
    const written = Array.from({ length: 60 }, (_, n) => `.nova/gathered/page-${n}.json`);
    const answer = await caller(oneFolder({ written }).directories)({ research_directory: "a" });
    expect(answer.text).toContain(`${written[49]}, and 10 more`);
    expect(answer.structured).toMatchObject({ directory: { written: written.slice(0, 50) } });
  });

  it("looks into the folder of a run that is named by its id too, and into none for other runs", async () => {
    const { directories, asked } = oneFolder();
    const call = caller(directories);
    expect(await call({ run_id: other })).toEqual({
      text: `looked at ${other}`,
      structured: { run_id: other },
    });
    expect(asked).toEqual([]);
    await call({ research_directory: "a" });
    await call({ run_id: runId });
    expect(asked.slice(2)).toEqual(["bind /work", `bring back ${runId}`]);
  });

  it("goes on with a run that is named by its id though its folder is gone, but not with the folder's name", async () => {
    const { directories } = oneFolder({ problems: ["gone"] });
    const call = caller(directories);
    await call({ research_directory: "a" });
    directories.bind = async () => {
      throw new ProofroomError({ code: "not_found", message: "There is no such folder." });
    };
    const answer = await call({ run_id: runId });
    expect(answer.structured).toMatchObject({ run_id: runId, directory: { problems: ["gone"] } });
    expect(await call({ research_directory: "a" })).toMatchObject({ isError: true });
  });

  it("goes on with the run that was named though its folder is another run's by now", async () => {
    const { directories } = oneFolder();
    const call = caller(directories);
    await call({ research_directory: "a" });
    directories.bind = async () => other;
    expect((await call({ run_id: runId })).structured).toEqual({ run_id: runId });
    expect((await call({ research_directory: "a" })).structured).toMatchObject({ run_id: other });
  });

  it("brings back what jobs write that nobody waits for", async () => {
    const { directories, asked } = oneFolder();
    const deps = depsWith(["step.started", "step.finished", "step.progress", "run.finished"]);
    await caller(directories, deps)({ research_directory: "a" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(["bind a", ...Array(3).fill(`bring back ${runId}`)]);
  });

  it.each([
    [{ research_directory: "a", run_id: runId }, "run_id and research_directory exclude each other."],
    [{}, "run_id or research_directory is missing."],
    [{ research_directory: "" }, "research_directory: "],
    [{ research_directory: 1 }, "research_directory: "],
    [{ research_directory: "a", depth: 1 }, "depth"],
  ])("refuses %j", async (args, message) => {
    const { directories, asked } = oneFolder();
    const answer = await caller(directories)(args);
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining("invalid_input: ") });
    expect(answer.text).toContain(message);
    expect(asked).toEqual([]);
  });
});

describe("the tools over stdio", () => {
  const tools = withDirectories(allTools(new Set(toolsetNames)), oneFolder().directories, closing);

  it("take the folder wherever they take a run, and differ from the others in nothing else", () => {
    const plain = allTools(new Set(toolsetNames));
    const taking = tools.filter(({ input }) => "research_directory" in input.shape).map(({ name }) => name);
    expect(taking).toEqual(plain.filter(({ input }) => "run_id" in input.shape).map(({ name }) => name));
    expect(taking.length).toBeGreaterThan(25);
    expect(tools.map(({ name, description }) => ({ name, description }))).toEqual(
      plain.map(({ name, description }) => ({ name, description })),
    );
    for (const { input, hints } of tools)
      if ("research_directory" in input.shape) expect(hints.readOnly).toBe(false);
    for (const { input, output } of tools) {
      const schema = jsonSchemaOf(input, "input");
      expect(schema).toMatchObject({ type: "object", additionalProperties: false });
      for (const root of ["oneOf", "anyOf", "allOf"]) expect(schema).not.toHaveProperty(root);
      expect(schema["required"] ?? []).not.toContain("run_id");
      expect(jsonSchemaOf(output, "output")).toMatchObject({ type: "object" });
    }
  });

  it("have each the form of the tool without folders, which another test keeps, and beside it only what folders need", () => {
    const added = new Set<string>();
    for (const plain of allTools(new Set(toolsetNames))) {
      const tool = tools.find(({ name }) => name === plain.name);
      const [input, output] = [
        jsonSchemaOf(tool?.input ?? z.object(), "input"),
        jsonSchemaOf(tool?.output ?? z.object(), "output"),
      ];
      const { research_directory, ...properties } = input["properties"] as Record<string, unknown>;
      const { directory, ...told } = output["properties"] as Record<string, unknown>;
      const own = jsonSchemaOf(plain.input, "input");
      const required = (own["required"] as string[] | undefined)?.filter((name) => name !== "run_id") ?? [];
      expect({ required: [], ...input, properties }).toEqual({ ...own, required });
      expect({ ...output, properties: told }).toEqual(jsonSchemaOf(plain.output, "output"));
      expect({ ...tool, hints: null }).toMatchObject({ title: plain.title, toolset: plain.toolset });
      expect({ ...tool?.hints, readOnly: plain.hints.readOnly }).toEqual(plain.hints);
      const ofRun = "run_id" in plain.input.shape;
      expect([plain.name, research_directory !== undefined, directory !== undefined]).toEqual([
        plain.name,
        ofRun,
        ofRun || "job_id" in plain.input.shape,
      ]);
      if (ofRun) added.add(JSON.stringify({ research_directory, directory }));
    }
    expect([...added].map((text) => JSON.parse(text))).toMatchSnapshot();
  });

  it("start jobs, for clients that take tasks, on the run of the folder", async () => {
    const started: unknown[] = [];
    const starting = { ...tool, start: async (args: unknown) => started.push(args) as never };
    const [wrapped] = withDirectories([starting], oneFolder().directories, closing);
    await wrapped?.start?.({ research_directory: "a", deep: true }, depsWith([]));
    expect(started).toEqual([{ run_id: runId, deep: true }]);
    await expect(wrapped?.start?.({}, depsWith([]))).rejects.toSatisfy(isProofroomError);
  });
});
