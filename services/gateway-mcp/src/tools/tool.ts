import type { CapabilityHints } from "@proofroom/contracts";
import type { CalledJob } from "@proofroom/runtime";
import type { z } from "zod";
import type { GatewayDeps } from "../gateway-deps.ts";
import type { Progress } from "../jobs/progress.ts";
import type { Toolset } from "../toolsets.ts";

/** A link to an artifact, as a client can read it. */
export interface ArtifactLink {
  name: string;
  uri: string;
  mimeType: string;
}

/** What a tool says. Everything that matters stands in the text as well: some clients hide the structured part. */
export interface ToolAnswer {
  text: string;
  structured: Record<string, unknown>;
  links?: readonly ArtifactLink[];
  isError?: boolean;
}

export interface ToolContext {
  deps: GatewayDeps;
  /** How long to wait for a job before its handle is handed out, in milliseconds. */
  inlineMs: number;
  /** Aborts when the client is gone or has given up. Never aborts a job. */
  signal: AbortSignal;
  /** Aborts when this process is to end. */
  closing: AbortSignal;
  /** Null where the client asked for no progress. */
  progress: Progress | null;
  /** The name that the client gives itself, where it does: nobody has checked it. */
  client?: string | undefined;
}

/** One tool, whatever protocol offers it. */
export interface Tool {
  readonly name: string;
  readonly toolset: Toolset;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly hints: CapabilityHints;
  /** Of a tool whose work is a job: starts it, or finds it. */
  start?(args: Record<string, unknown>, deps: GatewayDeps): Promise<CalledJob>;
  run(args: Record<string, unknown>, context: ToolContext): Promise<ToolAnswer>;
}

interface ToolOf<Input extends z.ZodObject> extends Omit<Tool, "input" | "run"> {
  readonly input: Input;
  run(args: z.output<Input>, context: ToolContext): Promise<ToolAnswer>;
}

/** Declares a tool; its arguments have the type of its input schema, which they were checked against. */
export function defineTool<Input extends z.ZodObject>(tool: ToolOf<Input>): Tool {
  return { ...tool, run: (args, context) => tool.run(args as z.output<Input>, context) };
}
