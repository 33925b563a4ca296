import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";

interface Asked {
  text: string;
  schema: Record<string, unknown>;
  maxTokens: number;
}

/** The providers' own SDKs, with nothing of ours around them: what a question by role is compared with. */
export interface BareSdks {
  gemini(asked: Asked): Promise<unknown>;
  openAi(asked: Asked): Promise<unknown>;
}

export function openBareSdks(options: { base: string; apiKey: string; signal: AbortSignal }): BareSdks {
  const { base, apiKey, signal } = options;
  const gemini = new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl: base } });
  const openAi = new OpenAI({ apiKey, baseURL: `${base}/v1`, maxRetries: 0 });
  return {
    gemini: ({ text, schema, maxTokens }) =>
      gemini.models.generateContent({
        model: "m",
        contents: [{ role: "user", parts: [{ text }] }],
        config: {
          abortSignal: signal,
          maxOutputTokens: maxTokens,
          responseMimeType: "application/json",
          responseJsonSchema: schema,
        },
      }),
    openAi: ({ text, schema, maxTokens }) =>
      openAi.chat.completions.create(
        {
          model: "m",
          messages: [{ role: "user", content: text }],
          max_tokens: maxTokens,
          response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema } },
        },
        { signal },
      ),
  };
}
