import { supervise } from "./supervisor.ts";
import { type SupervisorReport, supervisorOrder } from "./supervisor-protocol.ts";

const ending = new AbortController();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => ending.abort());
// The command that started this process may be gone before it hears of the outcome.
process.stdout.on("error", () => {});

const report = (outcome: SupervisorReport) => process.stdout.write(`${JSON.stringify(outcome)}\n`);

try {
  await supervise(supervisorOrder.parse(JSON.parse(process.argv[2] ?? "null")), report, ending.signal);
} catch (error) {
  report({ state: "failed", reason: error instanceof Error ? error.message : String(error) });
}
process.exit(0);
