import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { toProofroomError } from "@proofroom/contracts";

/** An error without any foreign text; whatever the client named that is not there is an invalid parameter. */
function protocolError(thrown: unknown): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const { code, message } = toProofroomError(thrown);
  const isClients = code === "not_found" || code === "invalid_input" || code === "too_large";
  return new ProtocolError(
    isClients ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    `${code}: ${message}`,
  );
}

/** The work's result, or an error that may be shown. Whatever answers in JSON-RPC goes through it. */
export async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw protocolError(error);
  }
}
