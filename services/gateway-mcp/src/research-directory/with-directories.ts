import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import { parseJobId } from "@proofroom/runtime";
import { z } from "zod";
import type { GatewayDeps } from "../gateway-deps.ts";
import { jsonLine } from "../json-line.ts";
import type { Tool, ToolAnswer } from "../tools/tool.ts";
import type { Directories, FolderReport } from "./directories.ts";
import { createFollower } from "./follow-runs.ts";

const argument = z
  .string()
  .min(1)
  .max(4_096)
  .describe(
    "In place of run_id: a local folder that holds article_guideline.md, absolute or relative to where you were started. Its run is used, what was changed in the folder counts, and what is written comes into the folder.",
  );

/** So many names of each kind are told. */
const namesShown = 50;

const reportSchema = z.object({
  path: z.string(),
  taken_over: z.array(z.string()),
  written: z.array(z.string()),
  kept: z.array(z.string()),
  problems: z.array(z.string()),
});

function shown(names: readonly string[]): string[] {
  return names.slice(0, namesShown);
}

function leftOut(names: readonly string[]): string[] {
  return names.length > namesShown ? [`and ${names.length - namesShown} more`] : [];
}

function linesOf(report: FolderReport): string[] {
  const lists = [
    ["changed in the folder, so now a version by person", report.takenOver],
    ["written into the folder", report.written],
    ["changed in the folder meanwhile, so left there as it is; the next call counts it", report.kept],
    ["problem", report.problems],
  ] as const;
  return [
    `research_directory: ${jsonLine(report.path)}`,
    ...lists
      .filter(([, names]) => names.length > 0)
      .map(([what, names]) => `${what}: ${[...shown(names), ...leftOut(names)].join(", ")}`),
  ];
}

function withReport(answer: ToolAnswer, report: FolderReport): ToolAnswer {
  const { path, takenOver, written, kept, problems } = report;
  return {
    ...answer,
    text: [answer.text, ...linesOf(report)].join("\n"),
    structured: {
      ...answer.structured,
      directory: {
        path,
        taken_over: shown(takenOver),
        written: shown(written),
        kept: shown(kept),
        problems: shown(problems),
      },
    },
  };
}

function invalid(message: string): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message,
    remedy: "Give run_id, or research_directory, a folder with article_guideline.md.",
  });
}

/** The run of a call, and whether a folder stands for it. */
interface Resolved {
  args: Record<string, unknown>;
  runId: string;
  isBound: boolean;
}

/**
 * The same tools, which also take a `research_directory` in place of a `run_id`, and tell what happened in the folder.
 * Whatever a bound run writes comes into its folder, whoever waits for it.
 * @param closing aborts when the process is to end
 */
export function withDirectories(
  tools: readonly Tool[],
  directories: Directories,
  closing: AbortSignal,
): Tool[] {
  const follow = createFollower(directories, closing);

  /** The run of a folder. One that was asked for by its id is there though its folder is gone: the report then says so. */
  async function bind(folder: string, given: string | undefined, deps: GatewayDeps): Promise<string> {
    try {
      return await directories.bind(folder, deps, closing);
    } catch (error) {
      if (given === undefined || !isProofroomError(error) || error.code !== "not_found") throw error;
      return given;
    }
  }

  async function resolve(args: Record<string, unknown>, deps: GatewayDeps): Promise<Resolved> {
    const {
      research_directory: path,
      run_id: given,
      ...rest
    } = args as {
      research_directory?: string;
      run_id?: string;
    };
    if (path !== undefined && given !== undefined)
      throw invalid("run_id and research_directory exclude each other.");
    const folder = path ?? (given === undefined ? undefined : directories.folderOf(given));
    const bound = folder === undefined ? undefined : await bind(folder, given, deps);
    const runId = given ?? bound;
    if (runId === undefined) throw invalid("run_id or research_directory is missing.");
    const isBound = runId === bound;
    if (isBound) follow(runId, deps);
    return { args: { ...rest, run_id: runId }, runId, isBound };
  }

  async function reported(answer: ToolAnswer, runId: string, deps: GatewayDeps): Promise<ToolAnswer> {
    await directories.bringBack(runId, deps);
    return withReport(answer, directories.report(runId));
  }

  /** A tool about a run. */
  function ofRun(tool: Tool): Tool {
    const { start } = tool;
    const run_id = (tool.input.shape["run_id"] as z.ZodType).optional();
    return {
      ...tool,
      input: tool.input.extend({ run_id, research_directory: argument.optional() }),
      output: tool.output.extend({ directory: reportSchema.optional() }),
      // With a folder even a look takes over and brings back files.
      hints: { ...tool.hints, readOnly: false },
      ...(start === undefined
        ? {}
        : { start: async (args, deps) => start((await resolve(args, deps)).args, deps) }),
      async run(args, context) {
        const { args: resolved, runId, isBound } = await resolve(args, context.deps);
        const answer = await tool.run(resolved, context);
        return isBound ? reported(answer, runId, context.deps) : answer;
      },
    };
  }

  /** A tool about a job, whose run may be bound. */
  function ofJob(tool: Tool): Tool {
    return {
      ...tool,
      output: tool.output.extend({ directory: reportSchema.optional() }),
      async run(args, context) {
        const answer = await tool.run(args, context);
        const { runId } = parseJobId(String(args["job_id"]));
        return directories.folderOf(runId) === undefined ? answer : reported(answer, runId, context.deps);
      },
    };
  }

  return tools.map((tool) => {
    if ("run_id" in tool.input.shape) return ofRun(tool);
    return "job_id" in tool.input.shape ? ofJob(tool) : tool;
  });
}
