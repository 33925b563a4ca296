import { createCounter, type Metric } from "./metrics.ts";

/** An answered call of a model. */
interface AnsweredCall {
  /** As the models file calls it. */
  model: string;
  role: string;
  inputTokens: number;
  outputTokens: number;
  /** US dollars at list prices; 0 where the price is not known. */
  cost: number;
}

/** A search that was made and answered, be it with nothing. */
interface AnsweredSearch {
  provider: string;
  /** US dollars: what the provider said, else its price; 0 where that is not known. */
  cost: number;
}

/** Counts what models and searches were asked, answered and cost. */
export interface ModelMetrics extends Metric {
  answered(call: AnsweredCall): void;
  /** A call without an answer, by what was in the way. */
  failed(call: { model: string; fault: string }): void;
  searched(search: AnsweredSearch): void;
}

export function createModelMetrics(): ModelMetrics {
  const calls = createCounter("proofroom_model_calls_total", "Calls of models that were answered.");
  const faults = createCounter("proofroom_model_faults_total", "Calls of models without an answer.");
  const tokens = createCounter("proofroom_model_tokens_total", "Tokens of answered calls.");
  const cost = createCounter("proofroom_model_cost_usd_total", "US dollars at list prices.");
  const searches = createCounter("proofroom_searches_total", "Searches that were made and answered.");
  const searchCost = createCounter("proofroom_search_cost_usd_total", "US dollars for answered searches.");
  return {
    answered(call) {
      const { model, role } = call;
      calls.add({ model, role });
      tokens.add({ model, direction: "input" }, call.inputTokens);
      tokens.add({ model, direction: "output" }, call.outputTokens);
      cost.add({ model }, call.cost);
    },
    failed: ({ model, fault }) => faults.add({ model, fault }),
    searched({ provider, cost: usd }) {
      searches.add({ provider });
      searchCost.add({ provider }, usd);
    },
    text: () => [calls, faults, tokens, cost, searches, searchCost].map((counter) => counter.text()).join(""),
  };
}
