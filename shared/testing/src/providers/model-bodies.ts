import type { ScriptedAnswer } from "./fake-provider.ts";

interface Answered {
  /** As the provider itself calls it. */
  finish?: string | null;
  inputTokens?: number;
  outputTokens?: number;
}

/** As `POST …/models/MODEL:generateContent` of Gemini answers. */
export function geminiBody(text: string, answered: Answered & { thoughts?: string } = {}): object {
  const { finish = "STOP", inputTokens = 100, outputTokens = 20, thoughts } = answered;
  const parts = [...(thoughts === undefined ? [] : [{ text: thoughts, thought: true }]), { text }];
  return {
    candidates: [
      { content: { role: "model", parts }, index: 0, ...(finish === null ? {} : { finishReason: finish }) },
    ],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
    modelVersion: "gemini-flash",
  };
}

/** As Gemini refuses to answer a question. */
export function geminiBlocked(reason = "PROHIBITED_CONTENT"): object {
  return {
    promptFeedback: { blockReason: reason },
    usageMetadata: { promptTokenCount: 100, totalTokenCount: 100 },
  };
}

/** As Gemini says that its limits are reached: which, and after how many seconds to come back. */
export function geminiLimit(quota: "PerMinute" | "PerDay", retrySeconds?: number): ScriptedAnswer {
  const quotaId = `GenerateRequests${quota}PerProjectPerModel-FreeTier`;
  return {
    status: 429,
    body: {
      error: {
        code: 429,
        message: "You exceeded your current quota.",
        status: "RESOURCE_EXHAUSTED",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            violations: [{ quotaId, quotaValue: "10" }],
          },
          ...(retrySeconds === undefined
            ? []
            : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${retrySeconds}s` }]),
        ],
      },
    },
  };
}

/** As Gemini tells any other error. */
export function geminiError(status: number, message: string): ScriptedAnswer {
  return { status, body: { error: { code: status, message, status: "ERROR" } } };
}

/** As `POST /chat/completions` of OpenAI's API answers. */
export function openAiBody(text: string | null, answered: Answered & { refusal?: string } = {}): object {
  const { finish = "stop", inputTokens = 100, outputTokens = 20, refusal = null } = answered;
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "llama",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal },
        finish_reason: finish,
        logprobs: null,
      },
    ],
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
  };
}

/** As OpenAI's API tells an error. */
export function openAiError(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): ScriptedAnswer {
  return {
    status,
    headers,
    body: { error: { message: `It failed: ${code}.`, type: "error", param: null, code } },
  };
}
