import { ProofroomError } from "@proofroom/contracts";
import type { connect } from "@proofroom/queue";

/** How long Redis may be away before a command that waits for a run gives up, in milliseconds. */
const patience = 60_000;

export interface ConnectionWatch {
  readonly lost: Promise<never>;
  stop(): void;
}

/** Rejects `lost` when the connection has not been ready for a minute: nothing may hang for ever. */
export function watchConnection(connection: ReturnType<typeof connect>): ConnectionWatch {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    timer ??= setTimeout(() => {
      reject(
        new ProofroomError({
          code: "dependency_down",
          message: "Redis has been away for a minute.",
          remedy:
            "Bring it back, then begin again, or resume the run if it had begun: nothing that was finished is lost.",
        }),
      );
    }, patience);
  };
  const disarm = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  connection.on("close", arm);
  connection.on("ready", disarm);
  return {
    lost: promise,
    stop() {
      connection.off("close", arm);
      connection.off("ready", disarm);
      disarm();
    },
  };
}
