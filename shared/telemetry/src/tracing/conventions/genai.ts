import type { SpanStart } from "../tracing.ts";

// After the semantic conventions for generative AI (open-telemetry/semantic-conventions-genai), which are still in development:
// their names stand here and nowhere else.

/** A call of a model. */
export interface ModelCall {
  /** As the conventions name it, or the endpoint's own name. */
  provider: string;
  model: string;
  maxTokens: number;
  isJson: boolean;
  /** Calls that belong together: those of a run. */
  conversation: string | undefined;
}

const providers: Readonly<Record<string, string>> = { gemini: "gcp.gemini" };

export function chatSpan({ provider, model, maxTokens, isJson, conversation }: ModelCall): SpanStart {
  return {
    name: `chat ${model}`,
    kind: "client",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": providers[provider] ?? provider,
      "gen_ai.request.model": model,
      "gen_ai.request.max_tokens": maxTokens,
      "gen_ai.output.type": isJson ? "json" : "text",
      "gen_ai.conversation.id": conversation,
    },
  };
}

/** What a call cost in US dollars; undefined where there is no price. No convention yet; this is what backends read. */
export function usageCost(usd: number | undefined): Record<string, number | undefined> {
  return { "gen_ai.usage.cost": usd };
}

/** What came of a call. */
export function chatAnswer(answer: {
  model: string;
  finish: string;
  inputTokens: number;
  outputTokens: number;
  /** US dollars at list prices; undefined where there is no price. */
  cost: number | undefined;
}): Record<string, string | number | readonly string[] | undefined> {
  return {
    "gen_ai.response.model": answer.model,
    "gen_ai.response.finish_reasons": [answer.finish],
    "gen_ai.usage.input_tokens": answer.inputTokens,
    "gen_ai.usage.output_tokens": answer.outputTokens,
    ...usageCost(answer.cost),
  };
}

export const systemInstructions = "gen_ai.system_instructions";
export const inputMessages = "gen_ai.input.messages";
export const outputMessages = "gen_ai.output.messages";

/** A text as the conventions write the messages of a role. */
export function messagesText(role: "user" | "assistant", texts: readonly string[], finish?: string): string {
  const parts = texts.map((content) => ({ type: "text", content }));
  return JSON.stringify([{ role, parts, ...(finish === undefined ? {} : { finish_reason: finish }) }]);
}

/** A whole piece of work, of many steps. */
export function workflowSpan(name: string, conversation: string): SpanStart {
  return {
    name: `invoke_workflow ${name}`,
    attributes: {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": name,
      "gen_ai.conversation.id": conversation,
    },
  };
}

/** A question to a search system. */
export function retrievalSpan(source: string): SpanStart {
  return {
    name: `retrieval ${source}`,
    kind: "client",
    attributes: { "gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": source },
  };
}

export const retrievalQuery = "gen_ai.retrieval.query.text";
export const retrievalDocuments = "gen_ai.retrieval.documents";
