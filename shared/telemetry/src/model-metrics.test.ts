import { expect, it } from "vitest";
import { createModelMetrics } from "./model-metrics.ts";

it("answered calls are counted with their tokens and cost, the others by what was in the way", () => {
  const metrics = createModelMetrics();
  const call = { model: "small", role: "drafter", inputTokens: 100, outputTokens: 20, cost: 0.25 };
  metrics.answered(call);
  metrics.answered(call);
  metrics.failed({ model: "small", fault: "rate" });
  const text = metrics.text();
  expect(text).toContain('proofroom_model_calls_total{model="small",role="drafter"} 2');
  expect(text).toContain('proofroom_model_tokens_total{model="small",direction="input"} 200');
  expect(text).toContain('proofroom_model_tokens_total{model="small",direction="output"} 40');
  expect(text).toContain('proofroom_model_cost_usd_total{model="small"} 0.5');
  expect(text).toContain('proofroom_model_faults_total{model="small",fault="rate"} 1');
});

it("answered searches are counted with their cost", () => {
  const metrics = createModelMetrics();
  metrics.searched({ provider: "tavily", cost: 0.016 });
  metrics.searched({ provider: "tavily", cost: 0.008 });
  metrics.searched({ provider: "arxiv", cost: 0 });
  const text = metrics.text();
  expect(text).toContain('proofroom_searches_total{provider="tavily"} 2');
  expect(text).toContain('proofroom_search_cost_usd_total{provider="tavily"} 0.024');
  expect(text).toContain('proofroom_searches_total{provider="arxiv"} 1');
});
