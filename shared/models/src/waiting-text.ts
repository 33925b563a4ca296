import type { Question } from "./router.ts";

/** What is waited for, and how long, as progress tells it: what `onWait` is told, in words. */
export function waitingText(...[waitMs, why]: Parameters<NonNullable<Question<unknown>["onWait"]>>): string {
  const what = why === "busy" ? "the models are overloaded" : "all models are at their limits";
  return `${what}; going on in ${Math.max(Math.ceil(waitMs / 1_000), 1)} s`;
}
