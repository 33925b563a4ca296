import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import {
  artifact,
  defaultTenant,
  type RunManifest,
  type RunOptions,
  type Uploads,
} from "@proofroom/contracts";
import { ulid } from "ulid";
import { removeRun } from "./control/remove-run.ts";
import { openLedger } from "./ledger.ts";
import { ownedKey } from "./ledger-keys.ts";
import { runTitle } from "./run-title.ts";

export interface NewRun {
  /** Whose it is; the default tenant's where nothing is said. */
  tenant?: string;
  /** Made short and one line. */
  title: string;
  plan: RunManifest["plan"];
  options: RunOptions;
  /** The guideline's text, UTF-8. */
  guideline: string;
  /** Whether a person wrote the guideline or it came with an imported folder. */
  author: "person" | "import";
  /** Of a replay: the run whose recorded answers it is given. */
  replayOf?: string;
  /** Puts further artifacts into the run before it exists for anybody: local sources, an imported folder. */
  fill?(run: { runId: string; base: string }): Promise<Uploads | undefined>;
}

/**
 * Creates a run and answers its id. The mark by which it is listed comes first and the manifest last: a run that was
 * cut short here never was. Where something fails, what lies there of it is taken back.
 */
export async function createRun(store: ObjectStore, run: NewRun): Promise<string> {
  const runId = `run_${ulid()}`;
  const tenant = run.tenant ?? defaultTenant;
  await store.create(ownedKey(tenant, runId), "");
  try {
    await make(store, runId, { ...run, tenant });
  } catch (error) {
    await removeRun(store, { tenant, runId }).catch(() => undefined);
    throw error;
  }
  return runId;
}

async function make(store: ObjectStore, runId: string, run: NewRun & { tenant: string }): Promise<void> {
  const { author, tenant } = run;
  const artifacts = openRunArtifacts(store, runId);
  await artifacts.write(artifact.guideline, Buffer.from(run.guideline, "utf8"), { author });
  const uploads = await run.fill?.({ runId, base: `runs/${runId}/` });
  if (uploads !== undefined) {
    await artifacts.write(artifact.uploads, Buffer.from(`${JSON.stringify(uploads, null, 2)}\n`), { author });
  }
  await openLedger(store, runId).createManifest({
    v: 1,
    run_id: runId,
    tenant,
    title: runTitle(run.title),
    created_at: new Date().toISOString(),
    plan: run.plan,
    options: run.options,
    ...(run.replayOf === undefined ? {} : { replay_of: run.replayOf }),
  });
}
