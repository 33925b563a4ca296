/**
 * A signal that is aborted when this process is told to end; what it runs then ends, and counts as failed. The
 * listeners stay: one Ctrl-C arrives twice, from the terminal and from the launcher.
 */
export function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => controller.abort());
  return controller.signal;
}
