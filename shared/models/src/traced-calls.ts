import {
  fetchSpan,
  retrievalDocuments,
  retrievalQuery,
  retrievalSpan,
  type Tracing,
} from "@proofroom/telemetry";
import type { OutsideCalls } from "./outside-calls.ts";

/** The same calls, of which those that are really made are told: a search that was recorded is none. */
export function traceCalls(calls: OutsideCalls, tracing: Tracing): OutsideCalls {
  return {
    search: (question, call) =>
      calls.search(question, () =>
        tracing.span(retrievalSpan(question.provider), async (span) => {
          span.content(retrievalQuery, () => question.query);
          const found = await call();
          span.content(retrievalDocuments, () => JSON.stringify(found));
          return found;
        }),
      ),
    page: (page, call) => calls.page(page, () => tracing.span(fetchSpan(page.url), call)),
  };
}
