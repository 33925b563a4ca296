import type { SpanStart } from "../tracing.ts";

// After the semantic conventions for HTTP. OpenTelemetry's own list of names is not loaded for them: every command would.

/** A request that is answered. */
export function serverSpan(method: string, route: string, traceparent: string | undefined): SpanStart {
  return {
    name: `${method} ${route}`,
    kind: "server",
    parent: traceparent,
    attributes: { "http.request.method": method, "http.route": route },
  };
}

/** The fetching of a page. What stands in its query stays out: it may be a key. */
export function fetchSpan(address: string): SpanStart {
  const url = URL.parse(address);
  return {
    name: "GET",
    kind: "client",
    attributes: {
      "http.request.method": "GET",
      "server.address": url?.hostname,
      "url.full": url === null ? undefined : `${url.origin}${url.pathname}`,
    },
  };
}

export function httpStatus(status: number): Record<string, number> {
  return { "http.response.status_code": status };
}
