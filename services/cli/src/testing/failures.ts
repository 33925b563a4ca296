import {
  geminiBlocked,
  geminiBody,
  geminiError,
  geminiLimit,
  perplexityBody,
  type ScriptedAnswer,
  searxngBody,
  tavilyBody,
} from "@proofroom/testing";
import type { Stage } from "./good-model.ts";

/** Stages at which a model is asked. */
export const modelStages = [
  "transcriber",
  "cleaner",
  "searcher",
  "selector",
  "reader",
  "planner",
  "drafter",
  "repairer",
  "critic",
] as const satisfies readonly Stage[];

/** Search providers that a run asks by itself, where they are configured. */
export const searchStages = ["tavily", "searxng", "perplexity"] as const;

export type ModelStage = (typeof modelStages)[number];
export type SearchStage = (typeof searchStages)[number];

/** Never ends. */
async function* slowly(beginning: string): AsyncGenerator<string> {
  yield beginning;
  await new Promise(() => undefined);
}

const htmlPage = "<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>";

/** How Gemini fails, at whatever it is asked. */
export const modelFailures: Readonly<Record<string, () => ScriptedAnswer>> = {
  "429 without a hint": () => geminiError(429, "Too many requests."),
  "429 with Retry-After": () => ({
    ...geminiError(429, "Too many requests."),
    headers: { "retry-after": "2" },
  }),
  "429 of the minute with RetryInfo": () => geminiLimit("PerMinute", 2),
  "429 of the day": () => geminiLimit("PerDay"),
  "503": () => geminiError(503, "The model is overloaded."),
  "503 with Retry-After": () => ({
    ...geminiError(503, "The model is overloaded."),
    headers: { "retry-after": "25" },
  }),
  "502 with a web page": () => ({ status: 502, headers: { "content-type": "text/html" }, body: htmlPage }),
  "200 with a web page": () => ({ headers: { "content-type": "text/html" }, body: htmlPage }),
  "key refused": () => geminiError(403, "The key is not accepted."),
  "cut before the answer": () => ({ cut: "at_once" }),
  "cut in the body": () => ({ body: '{"candidates": [', cut: "in_body" }),
  "slow body": () => ({ body: slowly('{"candidates": [') }),
  "malformed JSON": () => ({ body: '{"candidates": [' }),
  "cut off at MAX_TOKENS": () => ({ body: geminiBody("Half an ans", { finish: "MAX_TOKENS" }) }),
  "without an end": () => ({ body: geminiBody("Half an ans", { finish: null }) }),
  blocked: () => ({ body: geminiBlocked() }),
  empty: () => ({ body: geminiBody("") }),
  "off the schema": () => ({ body: geminiBody('{"unexpected": [true]}') }),
};

const nothingFound: Readonly<Record<SearchStage, object>> = {
  tavily: tavilyBody("q", []),
  searxng: searxngBody("q", []),
  perplexity: perplexityBody("I do not know.", []),
};

/** How a search provider fails. */
export const searchFailures: Readonly<Record<string, (stage: SearchStage) => ScriptedAnswer>> = {
  "429 without a hint": () => ({ status: 429, body: { error: "Too many requests." } }),
  "429 with Retry-After": () => ({ status: 429, headers: { "retry-after": "1" }, body: {} }),
  "429 of the day": () => ({ status: 429, headers: { "retry-after": "86400" }, body: {} }),
  "plan used up": () => ({ status: 432, body: { error: "This request exceeds your plan's limit." } }),
  "key refused": () => ({ status: 401, body: { error: "Unauthorized." } }),
  "503": () => ({ status: 503, body: {} }),
  "502 with a web page": () => ({ status: 502, headers: { "content-type": "text/html" }, body: htmlPage }),
  "200 with a web page": () => ({ headers: { "content-type": "text/html" }, body: htmlPage }),
  "cut before the answer": () => ({ cut: "at_once" }),
  "cut in the body": () => ({ body: '{"results": [', cut: "in_body" }),
  "slow body": () => ({ body: slowly('{"results": [') }),
  "malformed JSON": () => ({ body: '{"results": [' }),
  "off the schema": () => ({ body: { results: "none", choices: 7 } }),
  empty: (stage) => ({ body: nothingFound[stage] }),
};
