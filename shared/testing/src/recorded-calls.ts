import { type ObjectStore, recordingKey } from "@proofroom/artifacts";
import type { RunCost } from "@proofroom/contracts";

const call = {
  v: 1,
  at: "2026-01-01T00:00:00.000Z",
  step: "generate_article_outline",
  generation: 1,
  cost: 0,
  ms: 1,
};
const asked = { kind: "model", role: "planner", model: "m", provider_model: "m-1" };
const recordings = {
  "model-1": { ...call, ...asked, cost: 0.25, usage: { inputTokens: 20, outputTokens: 10 }, request: "q" },
  "model-2": { ...call, ...asked, priced: false, usage: { inputTokens: 1, outputTokens: 2 } },
  search: { ...call, kind: "search", provider: "tavily", cost: 0.016, query: "q" },
  page: { ...call, kind: "page", url: "https://example.org/" },
};

/** Keeps two calls of a model, a search and a page with a run, as the workers record them; answers what they cost. */
export async function recordCalls(store: ObjectStore, runId: string): Promise<RunCost> {
  for (const [name, recording] of Object.entries(recordings))
    await store.create(recordingKey(runId, name), JSON.stringify(recording));
  return {
    calls: 2,
    input_tokens: 21,
    output_tokens: 12,
    usd: 0.266,
    unpriced_calls: 1,
    models: { m: 2 },
    searches: { tavily: 1 },
    unpriced_searches: 0,
    pages: 1,
  };
}
