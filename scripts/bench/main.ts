import { cpus } from "node:os";
import { abortOnSignals } from "../checks/abort-on-signals.ts";
import { checkoutFolder } from "../checks/check.ts";
import { type BenchArguments, parseArguments } from "./arguments.ts";
import { measurements } from "./measurements.ts";
import { meetsTarget, type Row } from "./row.ts";
import { renderTable } from "./table.ts";

const note = (line: string) => process.stderr.write(`${line}\n`);

function help(): string {
  const width = Math.max(...measurements.map(({ name }) => name.length));
  return [
    "npm run bench -- [--json] [--seconds N] [NAME…]",
    "",
    "Measures and prints a table: value, base, ratio, target. Ratios are medians over alternating rounds.",
    "Ends with 1 where a measurement could not be made; a target that is missed is shown, and ends with 0.",
    "Load on the gateways is applied for N seconds, 60 where nothing is said; a smaller N only shows that it works.",
    "",
    ...measurements.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
  ].join("\n");
}

/** Makes the measurements one after the other. One that fails is told, and the others are made all the same. */
async function measureAll({ names, seconds }: BenchArguments, signal: AbortSignal) {
  const rows: Row[] = [];
  const failed: string[] = [];
  for (const { name, load } of measurements.filter((one) => names.includes(one.name))) {
    if (signal.aborted) break;
    note(`${name} …`);
    try {
      const measure = await load();
      rows.push(
        ...(await measure({ root: checkoutFolder, signal, seconds })).map((row) => ({ name, ...row })),
      );
    } catch (error) {
      if (signal.aborted) break;
      failed.push(name);
      note(`${name} could not be measured: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { rows, failed };
}

async function bench(given: BenchArguments): Promise<number> {
  const signal = abortOnSignals();
  // Ctrl-C comes from the terminal and once more from the launcher: the second must not cut the tidying short.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => undefined);
  const { rows, failed } = await measureAll(given, signal);
  if (signal.aborted) return 130;
  const machine = {
    cores: cpus().length,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
  if (given.json) {
    const told = rows.map((row) => ({ ...row, met: meetsTarget(row) }));
    process.stdout.write(`${JSON.stringify({ machine, rows: told, failed }, null, 2)}\n`);
  } else {
    process.stdout.write(`${renderTable(rows)}\n\n`);
    process.stdout.write(`${machine.cores} cores, Node ${machine.node}, ${machine.platform}\n`);
  }
  return failed.length === 0 ? 0 : 1;
}

try {
  const given = parseArguments(
    process.argv.slice(2),
    measurements.map(({ name }) => name),
  );
  if (given.help) process.stdout.write(`${help()}\n`);
  else process.exitCode = await bench(given);
} catch (error) {
  note(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
