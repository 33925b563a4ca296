import type { ChildProcess } from "node:child_process";

/** After an interrupt a process may tidy up for so long, in milliseconds; then it is killed. */
const patience = 15_000;

/** Interrupts the child when the signal aborts, and kills it where that does not help. Answers what to call once it has ended. */
export function endWith(signal: AbortSignal, child: ChildProcess): () => void {
  let timer: NodeJS.Timeout | undefined;
  const interrupt = () => {
    child.kill("SIGINT");
    timer = setTimeout(() => child.kill("SIGKILL"), patience);
  };
  if (signal.aborted) interrupt();
  else signal.addEventListener("abort", interrupt, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", interrupt);
  };
}
