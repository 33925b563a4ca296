import {
  type CallToolResult,
  type InputRequest,
  inputRequired,
  type RequestStateCodec,
} from "@modelcontextprotocol/server";
import { z } from "zod";

export function asking(message: string, requestedSchema: z.ZodObject): InputRequest {
  return inputRequired.elicit({ message, requestedSchema });
}

export const named = z.object({ name: z.string() });
export const askName = asking("What is your name?", named);

const confirming = z.object({ ok: z.boolean() });
export const askConfirmation = asking("Please confirm", confirming);

export function done(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

/** Seals the state of a call that goes to its caller and comes back. */
export type State = RequestStateCodec<{ round: number }>;
