import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempFolder {
  readonly path: string;
  close(): Promise<void>;
}

/** A folder of the test's own. */
export async function makeTempFolder(): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), "proofroom-test-"));
  return { path, close: () => rm(path, { recursive: true, force: true }) };
}
