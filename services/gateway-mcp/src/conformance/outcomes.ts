import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const checksSchema = z.array(z.object({ id: z.string(), status: z.string() }));

export interface Outcomes {
  scenarios: number;
  succeeded: number;
  /** What did not succeed, as `scenario: check: STATUS`, sorted. */
  others: string[];
}

/** Reads what the suite has written of a run: a folder for each scenario, with its checks. */
export async function readOutcomes(folder: string): Promise<Outcomes> {
  const entries = await readdir(folder);
  let succeeded = 0;
  const others = new Set<string>();
  for (const entry of entries) {
    const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(entry)?.[1];
    const checks = checksSchema.parse(JSON.parse(await readFile(join(folder, entry, "checks.json"), "utf8")));
    for (const { id, status } of checks) {
      if (status === "SUCCESS") succeeded += 1;
      else if (status !== "INFO") others.add(`${scenario}: ${id}: ${status}`);
    }
  }
  return { scenarios: entries.length, succeeded, others: [...others].sort() };
}
