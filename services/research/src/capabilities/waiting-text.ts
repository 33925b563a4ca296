/** What whoever watches a run is told while no model can be asked. */
export function waitingText(waitMs: number): string {
  const seconds = Math.max(Math.ceil(waitMs / 1_000), 1);
  return `all models are at their limits; going on in ${seconds} s`;
}
