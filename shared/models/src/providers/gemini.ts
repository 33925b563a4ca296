import type {
  ApiError,
  Part as GeminiPart,
  GenerateContentResponse,
  GoogleGenAI,
  MediaResolution,
} from "@google/genai";
import { z } from "zod";
import { CallError, callTimeoutMs, limited, type Provider, retryAfterMs } from "../provider.ts";
import { countOf, type ModelReply, type ModelRequest, type Part } from "../request.ts";
import { patientFetch } from "./patient-fetch.ts";

/** The API whose forms this file knows; the SDK's own default changes with its major version. */
const apiVersion = "v1beta";

/** Where the SDK asks, unless it is told otherwise. */
const defaultBaseUrl = "https://generativelanguage.googleapis.com";

/** Frames of a video that are looked at: one in two seconds shows slides and code well enough. */
const framesPerSecond = 0.5;
const lowResolution = "MEDIA_RESOLUTION_LOW" as MediaResolution;

/** Of an error's body: how long to wait, and which quota was used up (google.rpc.RetryInfo, QuotaFailure). */
const errorSchema = z.object({
  error: z.object({
    details: z
      .array(
        z.looseObject({
          retryDelay: z.string().optional(),
          violations: z.array(z.looseObject({ quotaId: z.string().optional() })).optional(),
        }),
      )
      .optional(),
  }),
});

function detailsOf(message: string): z.output<typeof errorSchema>["error"]["details"] {
  try {
    return errorSchema.parse(JSON.parse(message)).error.details;
  } catch {
    return undefined;
  }
}

/** What a refusal says that is about the key, and not about what was asked for. */
const aboutKey = /api[ _]key|unregistered callers|has not been used|is disabled|suspended/i;

/** How a call went, of which the SDK's own error says too little. */
interface Course {
  watches: boolean;
  /** What the header of the answer said of when to come back, in milliseconds. */
  waitMs: number | undefined;
}

function faultOfStatus(
  { status, message }: Pick<ApiError, "status" | "message">,
  { watches, waitMs }: Course,
): CallError {
  const details = detailsOf(message) ?? [];
  const delay = details
    .map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(retryDelay ?? "")?.[1])
    .find(Boolean);
  const comeBack = { status, retryAfterMs: delay === undefined ? waitMs : Math.ceil(Number(delay) * 1_000) };
  if (status === 429) {
    const perDay = details.some(({ violations = [] }) =>
      violations.some(({ quotaId = "" }) => quotaId.includes("PerDay")),
    );
    return new CallError(perDay ? "day" : "rate", comeBack);
  }
  // A video that not everybody may see is refused as a key would be.
  if (status === 403 && watches && !aboutKey.test(message)) return new CallError("rejected", { status });
  if (status === 401 || status === 403) return new CallError("refused", { status });
  // A key that is none is told as an invalid argument.
  if (status === 400 && /API[_ ]KEY[_ ]INVALID|API key not valid/i.test(message))
    return new CallError("refused", { status });
  if (status === 408 || status >= 500) return new CallError("busy", comeBack);
  return new CallError("rejected", { status });
}

function faultOf(thrown: unknown, course: Course): CallError {
  const status = (thrown as { status?: unknown } | null)?.status;
  if (typeof status === "number") {
    return faultOfStatus({ status, message: thrown instanceof Error ? thrown.message : "" }, course);
  }
  if (thrown instanceof SyntaxError) return new CallError("garbled", { cause: thrown });
  return new CallError("unreachable", { cause: thrown });
}

function partOf(part: Part): GeminiPart {
  if (part.kind === "text") return { text: part.text };
  return {
    fileData: { fileUri: part.url, mimeType: "video/mp4" },
    videoMetadata: {
      fps: framesPerSecond,
      ...(part.from === undefined ? {} : { startOffset: `${part.from}s` }),
      ...(part.to === undefined ? {} : { endOffset: `${part.to}s` }),
    },
  };
}

const blocking: ReadonlySet<string> = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
]);

function finishOf(response: GenerateContentResponse): ModelReply["finish"] {
  if (response.promptFeedback?.blockReason !== undefined) return "blocked";
  const reason = response.candidates?.[0]?.finishReason;
  if (reason === "STOP") return "stop";
  if (reason === "MAX_TOKENS") return "length";
  return reason !== undefined && blocking.has(reason) ? "blocked" : "open";
}

function watchesVideo({ parts }: ModelRequest): boolean {
  return parts.some(({ kind }) => kind === "video");
}

async function openClient(apiKey: string, baseUrl: string): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await import("@google/genai");
  // Without `vertexai` the environment may turn it to another service.
  return new Client({ apiKey, apiVersion, vertexai: false, httpOptions: { baseUrl } });
}

interface Call {
  request: ModelRequest;
  model: string;
  structured: boolean;
  abortSignal: AbortSignal;
  fetch: typeof globalThis.fetch;
}

/** Models of Google over its own SDK, whose retries stay off. Loaded when it is first used. */
export function createGemini(options: {
  apiKey: string;
  baseUrl?: string | undefined;
  timeoutMs?: number | undefined;
}): Provider {
  const { apiKey, baseUrl = defaultBaseUrl, timeoutMs = callTimeoutMs } = options;
  let client: Promise<GoogleGenAI> | undefined;
  return {
    host: new URL(baseUrl).host,
    generate(request, { model, structured, signal }) {
      const course: Course = { watches: watchesVideo(request), waitMs: undefined };
      // The SDK's error has no headers.
      const listening: typeof fetch = async (input, init) => {
        const response = await patientFetch(input, init);
        course.waitMs = retryAfterMs(response.headers.get("retry-after"), Date.now());
        return response;
      };
      return limited(
        signal,
        timeoutMs,
        (both) => call({ request, model, structured, abortSignal: both, fetch: listening }),
        (thrown) => faultOf(thrown, course),
      );
    },
  };

  async function call({ request, model, structured, abortSignal, fetch }: Call): Promise<ModelReply> {
    client ??= openClient(apiKey, baseUrl);
    const { models } = await client;
    const { system, parts, schema, maxTokens } = request;
    const response = await models.generateContent({
      model,
      contents: [{ role: "user", parts: parts.map(partOf) }],
      config: {
        abortSignal,
        httpOptions: { fetch },
        temperature: 0,
        seed: 7,
        maxOutputTokens: maxTokens,
        ...(system === undefined ? {} : { systemInstruction: system }),
        ...(schema !== undefined && structured
          ? { responseMimeType: "application/json", responseJsonSchema: schema }
          : {}),
        ...(watchesVideo(request) ? { mediaResolution: lowResolution } : {}),
      },
    });
    const usage = response.usageMetadata;
    return {
      text: textOf(response),
      finish: finishOf(response),
      usage: {
        inputTokens: countOf(usage?.promptTokenCount),
        outputTokens: countOf(usage?.candidatesTokenCount) + countOf(usage?.thoughtsTokenCount),
      },
    };
  }
}

/** The answer without what was only thought. */
function textOf(response: GenerateContentResponse): string {
  const parts = response.candidates?.[0]?.content?.parts ?? [];
  return parts
    .filter(({ thought }) => thought !== true)
    .map(({ text }) => text ?? "")
    .join("");
}
