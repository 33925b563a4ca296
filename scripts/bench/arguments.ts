import { parseArgs } from "node:util";

export interface BenchArguments {
  help: boolean;
  json: boolean;
  /** The measurements to make, in the order of the list. */
  names: string[];
}

/**
 * Reads the command line.
 * @param known the names of all measurements
 * @throws Error for an option or a name that there is not; its message is for whoever typed it
 */
export function parseArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" }, json: { type: "boolean" } },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no measurement "${unknown}". There are: ${known.join(", ")}.`);
  return {
    help: values.help === true,
    json: values.json === true,
    names: known.filter((name) => positionals.length === 0 || positionals.includes(name)),
  };
}
