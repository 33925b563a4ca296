import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives the work a home of its own and removes it, also where what ran in it is still busy ending. */
export async function inTempHome<Result>(work: (home: string) => Promise<Result>): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), "proofroom-bench-"));
  try {
    return await work(home);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
