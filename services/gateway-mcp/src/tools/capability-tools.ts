import { type Capability, publicCapabilities } from "@proofroom/contracts";
import { callCapability } from "@proofroom/runtime";
import { z } from "zod";
import type { GatewayDeps } from "../gateway-deps.ts";
import { deliverJob } from "../jobs/deliver-job.ts";
import { jobAnswerSchema } from "../jobs/job-answer.ts";
import type { Toolset } from "../toolsets.ts";
import { runIdArgument } from "./run-id-argument.ts";
import { defineTool, type Tool } from "./tool.ts";

/** Of the services that have capabilities which are offered. */
const toolsetOf: Readonly<Record<string, Toolset>> = {
  research: "research",
  writer: "writer",
  critic: "critic",
  "code-qa": "code",
};

/** What a capability reads, with the tools that make it: they are called before. */
function readsOf({ reads, writes }: Capability): string {
  const described = reads.map((artifact) => {
    const maker = publicCapabilities().find((one) => one.writes.includes(artifact));
    return maker === undefined || writes.includes(artifact) ? artifact : `${artifact} (from ${maker.name})`;
  });
  return described.join(", ");
}

/** The static description: what it does, from the catalog, and how the answer comes. */
function describe(capability: Capability): string {
  const { summary, reads, writes, needs } = capability;
  return [
    summary,
    ...(reads.length === 0 ? [] : [`Reads ${readsOf(capability)}.`]),
    writes.length === 0 ? "Writes no artifact." : `Writes ${writes.join(", ")}.`,
    ...(needs === undefined
      ? []
      : [`Needs ${needs.join(", ")} on the server; answers not_configured without.`]),
    "The same call again finds the same result while it stands; force executes it again.",
    "Work that takes longer answers with a job_id: pass it to job_wait.",
  ].join(" ");
}

function toolOf(capability: Capability): Tool {
  const toolset = toolsetOf[capability.owner];
  if (toolset === undefined) throw new Error(`${capability.owner} has no toolset`);
  async function start(args: Record<string, unknown>, deps: GatewayDeps) {
    const { run_id: runId, force, ...input } = args as { run_id: string; force?: boolean };
    return callCapability(deps, { runId, capability, input, ...(force === undefined ? {} : { force }) });
  }

  return defineTool({
    name: capability.name,
    toolset,
    title: capability.title,
    description: describe(capability),
    input: z
      .object({
        run_id: runIdArgument,
        ...capability.input.shape,
        force: z.boolean().optional().describe("Execute again although the result stands."),
      })
      .strict(),
    output: jobAnswerSchema(capability.output),
    hints: capability.hints,
    start,
    async run(args, context) {
      return deliverJob(context, await start(args, context.deps), context.inlineMs);
    },
  });
}

/** One tool for every public capability, in the order of the catalog. */
export function capabilityTools(): Tool[] {
  return publicCapabilities().map(toolOf);
}
