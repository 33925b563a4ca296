import { setTimeout as pause } from "node:timers/promises";
import { artifact, ProofroomError } from "@proofroom/contracts";
import type { AnyHandler } from "@proofroom/runtime";
import { z } from "zod";
import type { GatewayDeps } from "../gateway-deps.ts";
import { capabilityTools } from "../tools/capability-tools.ts";
import { runTools } from "../tools/run-tools.ts";
import { defineTool, type Tool, type ToolContext } from "../tools/tool.ts";

// Tools whose work is a job of the queue: each makes a run and calls read_research_summary on it, whose stand-in reads from
// the guideline what it is to do.

/** The suite's seconds in milliseconds of ours; only their order counts. */
const secondMs = 100;

const hints = { readOnly: false, destructive: false, idempotent: false, openWorld: false };

function toolNamed(tools: readonly Tool[], name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

/** A tool that has a worker do something, told in the words of a guideline. */
function working(name: string, taskOf: (args: { seconds?: number }) => string): Tool {
  const create = toolNamed(runTools(), "create_run");
  const work = toolNamed(capabilityTools(), "read_research_summary");
  async function newRun(args: Record<string, unknown>, deps: GatewayDeps) {
    const made = await create.run({ guideline: `# ${taskOf(args)}\n` }, { deps } as ToolContext);
    return { run_id: String(made.structured["run_id"]) };
  }
  return {
    ...work,
    name,
    description: name,
    input: z.object({ seconds: z.number().optional(), label: z.string().optional() }),
    hints,
    async start(args, deps) {
      const started = await work.start?.(await newRun(args, deps), deps);
      if (started === undefined) throw new Error(`${work.name} starts no job`);
      return started;
    },
    run: async (args, context) => work.run(await newRun(args, context.deps), context),
  };
}

/** Does what the guideline says: works so long, or fails. */
export const workOfGuideline: AnyHandler = async (_input: never, { artifacts, signal }) => {
  const task = await artifacts.readText(artifact.guideline);
  const seconds = /^# work for (\S+) s$/m.exec(task)?.[1];
  if (seconds === undefined) throw new ProofroomError({ code: "no_evidence", message: "There is none." });
  await pause(Number(seconds) * secondMs, undefined, { signal });
  return { title: task, sections: [], sources: [], failures: 0, words: 0 };
};

export function taskFixtures(): Tool[] {
  const greet = defineTool({
    name: "greet",
    toolset: "jobs",
    title: "Greet",
    description: "Answers at once.",
    input: z.object({ name: z.string() }),
    output: z.object({ greeting: z.string() }),
    hints,
    run: async ({ name }) => ({ text: `Hello, ${name}!`, structured: { greeting: name } }),
  });
  const workFor = ({ seconds = 1 }: { seconds?: number }) => `work for ${seconds} s`;
  return [greet, working("slow_compute", workFor), working("failing_job", () => "fail")];
}
