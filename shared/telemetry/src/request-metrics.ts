import { createCounter, createHistogram, gaugeText, type Metric } from "./metrics.ts";

/** What a request was, by what no client chooses: never by its address. */
interface AnsweredRequest {
  method: string;
  route: string;
  status: number;
  seconds: number;
}

export interface RequestMetrics extends Metric {
  answered(request: AnsweredRequest): void;
}

/** Upper bounds of the duration buckets, in seconds. */
const bounds = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30] as const;

/**
 * Counts the requests of a gateway and their durations, by route.
 * @param open how many are under way
 */
export function createRequestMetrics(open: () => number): RequestMetrics {
  const requests = createCounter("proofroom_http_requests_total", "Answered requests.");
  const durations = createHistogram(
    "proofroom_http_request_duration_seconds",
    "How long answers took.",
    bounds,
  );
  return {
    answered({ method, route, status, seconds }) {
      requests.add({ method, route, status: String(status) });
      durations.observe({ method, route }, seconds);
    },
    text: () =>
      gaugeText("proofroom_http_open_requests", "Requests under way.", [[{}, open()]]) +
      requests.text() +
      durations.text(),
  };
}
