import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type {
  SandboxDriver,
  SandboxFile,
  SandboxJob,
  SandboxLimits,
  SandboxOutcome,
} from "../sandbox/sandbox-driver.ts";
import { readJavaScript, transpile } from "../syntax/javascript-syntax.ts";
import type { Candidate } from "./candidate.ts";
import { sharedScope } from "./shared-scope.ts";

const exceptionReasons = [
  "missing_dependency",
  "needs_input",
  "needs_env",
  "needs_browser",
  "blocked_network",
  "blocked_write",
  "blocked_read",
  "memory_limit",
  "no_processes",
] as const;

const reportSchema = z.discriminatedUnion("kind", [
  z.object({ block: z.int(), kind: z.literal("start") }),
  z.object({ block: z.int(), kind: z.literal("exit"), status: z.int() }),
  z.object({ block: z.int(), kind: z.literal("mismatch") }),
  z.object({
    block: z.int(),
    kind: z.literal("exception"),
    type: z.string(),
    message: z.string(),
    reason: z.enum(exceptionReasons).nullable(),
    /** The name that was not defined, where that is what went wrong. */
    missing_name: z.string().nullable(),
    /** A name was declared a second time: the fault lies between the blocks. */
    redeclared: z.boolean().default(false),
  }),
]);
type AttemptReport = Exclude<z.infer<typeof reportSchema>, { kind: "start" }>;

/** One run of a block after others, in one process. */
export interface Attempt {
  outcome: SandboxOutcome;
  /** What the process said about its end; the program itself may have forged or prevented it. */
  report: AttemptReport | null;
  /** Whether the last block was begun. */
  reached: boolean;
  /** The earlier block that failed, and the name it missed if that was why. */
  failedEarlier: { index: number; missingName: string | null } | null;
}

export interface AttemptContext {
  driver: SandboxDriver;
  limits: SandboxLimits;
  signal: AbortSignal;
}

/** Runs `block` in a fresh process and working directory, after `earlier` blocks of its family whose output is dropped. */
export async function attempt(
  earlier: readonly Candidate[],
  block: Candidate,
  context: AttemptContext,
): Promise<Attempt> {
  const blocks = [...earlier, block];
  const marker = `report:${digest(blocks.map((one) => one.code).join("\0"))}:`;
  const program =
    block.family === "python" ? await pythonProgram(blocks, marker) : await nodeProgram(blocks, marker);
  const outcome = await context.driver.run({
    ...program,
    limits: context.limits,
    signal: context.signal,
  });
  const { stderr, reports } = takeReports(outcome.stderr, marker);
  const last = blocks.length - 1;
  const endings = reports.filter((report) => report.kind !== "start");
  const report = endings.at(-1) ?? null;
  const earlierFault = report !== null && report.block < last ? report : null;
  const failed = earlierFault === null ? undefined : blocks[earlierFault.block];
  return {
    outcome: { ...outcome, stderr },
    report,
    reached: earlier.length === 0 || reports.some((one) => one.kind === "start"),
    failedEarlier:
      failed === undefined
        ? null
        : {
            index: failed.index,
            missingName: earlierFault?.kind === "exception" ? earlierFault.missing_name : null,
          },
  };
}

type Program = Pick<SandboxJob, "files" | "command" | "args">;

async function pythonProgram(blocks: readonly Candidate[], marker: string): Promise<Program> {
  const sources = blocks.map((block) => ({ path: `block_${block.index}.py`, content: block.code }));
  return {
    command: "python",
    files: [await asset("python-driver.py"), ...sources],
    args: [
      ...["-B", "-u", "-s", { file: "python-driver.py" }, marker],
      ...blocks.flatMap((block, at) => [
        block.transcript ? "transcript" : "script",
        { file: sources[at]?.path ?? "" },
      ]),
    ],
  };
}

const NODE_OPTIONS = [
  "--max-old-space-size=400",
  // A browser's global that Node also has in part: code that uses it is written for a browser.
  "--no-experimental-global-navigator",
];

async function nodeProgram(blocks: readonly Candidate[], marker: string): Promise<Program> {
  const sources: (SandboxFile & { kind: "module" | "script" })[] = [];
  for (const block of blocks) {
    const code = block.family === "typescript" ? ((await transpile(block.code)).code ?? "") : block.code;
    const kind = (await readJavaScript(code)).kind ?? "script";
    const path = `block_${block.index}.${kind === "module" ? "mjs" : "cjs"}`;
    sources.push({ path, kind, content: blocks.length === 1 ? code : await sharedScope(code, kind) });
  }
  const harness = [await asset("node-report.cjs"), { path: "marker.txt", content: marker }];
  const options = [...NODE_OPTIONS, "--require", { file: "node-report.cjs" }];
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) {
    return { command: "node", files: [...harness, only], args: [...options, { file: only.path }] };
  }
  return {
    command: "node",
    files: [...harness, await asset("node-group.cjs"), ...sources],
    args: [
      ...options,
      { file: "node-group.cjs" },
      ...sources.flatMap((source) => [source.kind, { file: source.path }]),
    ],
  };
}

async function asset(name: string): Promise<SandboxFile> {
  return { path: name, content: await readFile(new URL(`./${name}`, import.meta.url), "utf8") };
}

/** Takes the reports out of the error output. */
function takeReports(
  stderr: string,
  marker: string,
): { stderr: string; reports: z.infer<typeof reportSchema>[] } {
  const reports: z.infer<typeof reportSchema>[] = [];
  const pattern = new RegExp(`\\u001e${marker}([^\\u001e]*)\\u001e\\n`, "g");
  const rest = stderr.replace(pattern, (_, text: string) => {
    const parsed = reportSchema.safeParse(parseJson(text));
    if (parsed.success) reports.push(parsed.data);
    return "";
  });
  return { stderr: rest, reports };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
