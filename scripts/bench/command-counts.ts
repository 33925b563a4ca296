/** Calls by command, from Redis's `INFO commandstats`. Subcommands count for their command. */
export function parseCommandStats(info: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, command = "", calls] of info.matchAll(/^cmdstat_([^|:\s]+)[^:\s]*:calls=(\d+)/gm)) {
    counts.set(command, (counts.get(command) ?? 0) + Number(calls));
  }
  return counts;
}

/** What was called between two counts; the counting itself left out. */
export function callsBetween(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): { evalsha: number; all: number } {
  const calls = (command: string) => (after.get(command) ?? 0) - (before.get(command) ?? 0);
  const commands = [...after.keys()].filter((command) => command !== "info");
  return { evalsha: calls("evalsha"), all: commands.reduce((sum, command) => sum + calls(command), 0) };
}
