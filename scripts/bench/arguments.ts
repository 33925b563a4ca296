import { parseArgs } from "node:util";

export interface BenchArguments {
  help: boolean;
  json: boolean;
  /** The measurements to make, in the order of the list. */
  names: string[];
  /** How long load is applied. */
  seconds: number;
}

const defaultSeconds = 60;

/**
 * Reads the command line.
 * @param known the names of all measurements
 * @throws Error for an option or a name that there is not, or a number of seconds that is none; its message is for whoever typed it
 */
export function parseArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      json: { type: "boolean" },
      seconds: { type: "string" },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no measurement "${unknown}". There are: ${known.join(", ")}.`);
  const seconds = Number(values.seconds ?? defaultSeconds);
  if (!(seconds >= 1 && seconds <= 3_600)) throw new Error("--seconds takes a number from 1 to 3600.");
  return {
    help: values.help === true,
    json: values.json === true,
    names: known.filter((name) => positionals.length === 0 || positionals.includes(name)),
    seconds,
  };
}
