import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/** Bodies up to this size are not counted; in bytes. */
const small = 64 * 1024;

/** What is reckoned for a body that does not say how large it is: the largest there may be. */
const unsaid = 4 * 1024 * 1024;

export interface LargeBodies {
  /**
   * Makes room for the body of a request until its answer is through.
   * @returns gives the room back
   * @throws Refusal 503 where the bodies at work are too many
   */
  enter(request: IncomingMessage): () => void;
}

/**
 * Counts the bytes of the large bodies that a process holds at one time: what is made of them takes several times as much
 * memory, and a burst of them would end the process.
 */
export function createLargeBodies(limit: number): LargeBodies {
  let held = 0;
  return {
    enter(request) {
      const said = request.headers["content-length"];
      const size = said === undefined ? unsaid : Number(said);
      if (!(size > small)) return () => undefined;
      if (held + size > limit) {
        const message = "Too many large requests are at work: try again.";
        throw new Refusal({ status: 503, message, headers: { "retry-after": "1" } });
      }
      held += size;
      return () => {
        held -= size;
      };
    },
  };
}
