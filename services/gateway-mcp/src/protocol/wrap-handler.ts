import type { McpServer, ServerContext } from "@modelcontextprotocol/server";

/** A handler as the SDK keeps it: it has checked the request, and completes the result as the era has it. */
export type RequestHandler<Request> = (request: Request, context: ServerContext) => Promise<unknown>;

/**
 * Puts a handler around the one that the SDK has for a method; where it has none, nothing happens. This reaches into
 * @modelcontextprotocol/server 2.4.0, which has no seam for it: that is why its version is pinned.
 */
export function wrapHandler<Request>(
  server: McpServer,
  method: string,
  wrap: (ordinary: RequestHandler<Request>) => RequestHandler<Request>,
): void {
  const { _requestHandlers: handlers } = server.server as unknown as {
    _requestHandlers: Map<string, RequestHandler<Request>>;
  };
  const ordinary = handlers.get(method);
  if (ordinary !== undefined) handlers.set(method, wrap(ordinary));
}
