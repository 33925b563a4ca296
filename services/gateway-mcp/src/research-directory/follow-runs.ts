import type { GatewayDeps } from "../gateway-deps.ts";
import type { Directories } from "./directories.ts";

/** What may have written artifacts. */
const ends: ReadonlySet<string> = new Set(["step.finished", "run.finished"]);

/**
 * Makes what follows bound runs until the signal aborts: what their jobs write comes into the folders, though nobody waits
 * for them. Events may be lost with Redis; the next call about the run brings what was missed.
 */
export function createFollower(
  directories: Directories,
  signal: AbortSignal,
): (runId: string, deps: GatewayDeps) => void {
  const followed = new Set<string>();

  async function follow(runId: string, deps: GatewayDeps): Promise<void> {
    const after = await deps.events.position(runId);
    for await (const event of deps.events.follow(runId, after, signal))
      if (ends.has(event.type)) await directories.bringBack(runId, deps);
  }

  return (runId, deps) => {
    if (followed.has(runId)) return;
    followed.add(runId);
    follow(runId, deps)
      .catch(() => undefined)
      .finally(() => followed.delete(runId));
  };
}
