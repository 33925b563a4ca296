import type OpenAI from "openai";
import { CallError, callTimeoutMs, limited, type Provider, retryAfterMs } from "../provider.ts";
import { countOf, type ModelReply, type ModelRequest } from "../request.ts";
import { patientFetch } from "./patient-fetch.ts";

/** Codes by which providers say that more calls will not help before tomorrow, or before somebody pays. */
const usedUp = /insufficient_quota|per[_ -]?day|daily|billing/i;

interface Failed {
  status?: unknown;
  headers?: unknown;
  code?: unknown;
  message?: unknown;
}

function header(headers: unknown, name: string): string | null {
  return headers instanceof Headers ? headers.get(name) : null;
}

/** "7.66s", "1m2s", "250ms": how the window's end is told, in milliseconds. */
export function durationMs(text: string | null): number | undefined {
  const parts = [...(text ?? "").matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0) return undefined;
  const unit = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
  return Math.ceil(
    parts.reduce((sum, [, amount, name]) => sum + Number(amount) * unit[name as keyof typeof unit], 0),
  );
}

function waitOf(headers: unknown): number | undefined {
  const exact = Number(header(headers, "retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const said = retryAfterMs(header(headers, "retry-after"), Date.now());
  if (said !== undefined) return said;
  const windows = ["requests", "tokens"]
    .filter((of) => header(headers, `x-ratelimit-remaining-${of}`) === "0")
    .map((of) => durationMs(header(headers, `x-ratelimit-reset-${of}`)) ?? 0);
  return windows.length === 0 ? undefined : Math.max(...windows);
}

function faultOf(thrown: unknown): CallError {
  const { status, headers, code, message } = (thrown ?? {}) as Failed;
  if (typeof status !== "number") {
    const cut = thrown instanceof SyntaxError ? "garbled" : "unreachable";
    return new CallError(cut, { cause: thrown });
  }
  if (status === 429) {
    const day = usedUp.test(`${String(code)} ${String(message)}`);
    return new CallError(day ? "day" : "rate", { status, retryAfterMs: waitOf(headers) });
  }
  if (status === 402) return new CallError("day", { status });
  if (status === 401 || status === 403) return new CallError("refused", { status });
  if (status === 408 || status === 409 || status >= 500) {
    return new CallError("busy", { status, retryAfterMs: waitOf(headers) });
  }
  // The model tried to keep to the schema and did not: asking again may help, the request is not at fault.
  const isGarbled = status === 400 && code === "json_validate_failed";
  return new CallError(isGarbled ? "garbled" : "rejected", { status });
}

function finishOf(reason: string | null | undefined): ModelReply["finish"] {
  if (reason === "stop") return "stop";
  if (reason === "length") return "length";
  return reason === "content_filter" ? "blocked" : "open";
}

function messagesOf({ system, parts }: ModelRequest): OpenAI.ChatCompletionMessageParam[] {
  const text = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
  return [
    ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
    { role: "user", content: text },
  ];
}

async function openClient(apiKey: string, baseURL: string, timeoutMs: number): Promise<OpenAI> {
  const { default: Client } = await import("openai");
  // Without organization and project it reads them from the environment.
  const closed = { logLevel: "off", organization: null, project: null } as const;
  // The SDK would give up after ten minutes; ours comes first, and says so in its own way.
  return new Client({
    apiKey,
    baseURL,
    fetch: patientFetch,
    timeout: timeoutMs * 2,
    maxRetries: 0,
    ...closed,
  });
}

/** Any server that speaks OpenAI's chat API, over OpenAI's SDK, whose retries are off. Loaded when it is first used. */
export function createOpenAiCompatible(options: {
  apiKey: string | undefined;
  baseUrl: string;
  timeoutMs?: number | undefined;
}): Provider {
  const { apiKey = "none", baseUrl, timeoutMs = callTimeoutMs } = options;
  let client: Promise<OpenAI> | undefined;
  return {
    host: new URL(baseUrl).host,
    generate: (request, { model, structured, signal }) =>
      limited(signal, timeoutMs, (both) => call(request, model, structured, both), faultOf),
  };

  async function call(
    request: ModelRequest,
    model: string,
    structured: boolean,
    signal: AbortSignal,
  ): Promise<ModelReply> {
    client ??= openClient(apiKey, baseUrl, timeoutMs);
    const { chat } = await client;
    const { schema, maxTokens } = request;
    const completion: OpenAI.ChatCompletion | undefined = await chat.completions.create(
      {
        model,
        messages: messagesOf(request),
        temperature: 0,
        seed: 7,
        max_tokens: maxTokens,
        ...(schema !== undefined && structured
          ? {
              response_format: {
                type: "json_schema" as const,
                json_schema: { name: "answer", strict: true, schema: { ...schema } },
              },
            }
          : {}),
      },
      { signal },
    );
    // The SDK takes an empty body for an answer, and hands on whatever JSON came.
    const choice = completion?.choices?.[0];
    if (choice === undefined) throw new CallError("garbled");
    const { refusal, content } = choice.message ?? {};
    return {
      text: typeof content === "string" ? content : "",
      finish: typeof refusal === "string" && refusal !== "" ? "blocked" : finishOf(choice.finish_reason),
      usage: {
        inputTokens: countOf(completion?.usage?.prompt_tokens),
        outputTokens: countOf(completion?.usage?.completion_tokens),
      },
    };
  }
}
