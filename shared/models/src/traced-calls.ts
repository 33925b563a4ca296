import {
  fetchSpan,
  retrievalDocuments,
  retrievalQuery,
  retrievalSpan,
  type Tracing,
  usageCost,
} from "@proofroom/telemetry";
import { isFoundNothing, type OutsideCalls } from "./outside-calls.ts";

/** The same calls, of which those that are really made are told: a search that was recorded is none. */
export function traceCalls(calls: OutsideCalls, tracing: Tracing): OutsideCalls {
  return {
    search: (question, call) =>
      calls.search(question, (costs, price) =>
        tracing.span(retrievalSpan(question.provider), async (span) => {
          span.content(retrievalQuery, () => question.query);
          let cost = price;
          const told = (usd: number) => {
            cost = usd;
            costs(usd);
          };
          try {
            const found = await call(told, price);
            span.set(usageCost(cost));
            span.content(retrievalDocuments, () => JSON.stringify(found));
            return found;
          } catch (error) {
            if (isFoundNothing(error)) span.set(usageCost(cost));
            throw error;
          }
        }),
      ),
    page: (page, call) => calls.page(page, () => tracing.span(fetchSpan(page.url), call)),
  };
}
