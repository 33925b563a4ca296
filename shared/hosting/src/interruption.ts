/** One Ctrl-C reaches the whole process group and comes once more through npm and the launcher; milliseconds. */
const sameKeypress = 1_000;

/** Aborts when the process is told to end. Told so again, it ends at once. */
export function interruptionOf(program: NodeJS.Process): AbortSignal {
  const interruption = new AbortController();
  let interrupted: number | undefined;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    program.on(name, () => {
      if (interrupted !== undefined && Date.now() - interrupted > sameKeypress) program.exit(130);
      interrupted ??= Date.now();
      interruption.abort(new DOMException("interrupted", "AbortError"));
    });
  }
  return interruption.signal;
}

/** Resolves once the signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
}
