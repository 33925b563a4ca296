import type { Toolset } from "../toolsets.ts";
import { artifactTools } from "./artifact-tools.ts";
import { capabilityTools } from "./capability-tools.ts";
import { jobTools } from "./job-tools.ts";
import { runTools } from "./run-tools.ts";
import type { Tool } from "./tool.ts";

/** Every tool of the toolsets given, always in the same order. */
export function allTools(toolsets: ReadonlySet<Toolset>): Tool[] {
  const tools = [...runTools(), ...artifactTools(), ...capabilityTools(), ...jobTools()];
  return tools.filter(({ toolset }) => toolsets.has(toolset));
}
