import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { wrapHandler } from "./wrap-handler.ts";

/** Methods whose params the SDK checks: it tells what does not fit as an internal error, in the words of its checks. */
const checked = ["initialize", "completion/complete", "prompts/get", "resources/read"];

/** Has params that do not fit told as such. Call it after everything is registered. */
export function tellInvalidParams(server: McpServer): void {
  for (const method of checked) {
    wrapHandler(server, method, (ordinary) => async (request, context) => {
      try {
        return await ordinary(request, context);
      } catch (error) {
        // Of the SDK's own errors this one alone is of no kind, and what our handlers throw is guarded.
        if (!(error instanceof Error) || error.constructor !== Error) throw error;
        const message = `Invalid params for ${method}: see its schema.`;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
      }
    });
  }
}
