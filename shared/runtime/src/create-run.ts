import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { artifact, type RunManifest, type RunOptions, type Uploads } from "@proofroom/contracts";
import { ulid } from "ulid";
import { openLedger } from "./ledger.ts";

export interface NewRun {
  title: string;
  plan: RunManifest["plan"];
  options: RunOptions;
  /** The guideline's text, UTF-8. */
  guideline: string;
  /** Whether a person wrote the guideline or it came with an imported folder. */
  author: "person" | "import";
  /** Puts further artifacts into the run before it exists for anybody: local sources, an imported folder. */
  fill?(run: { runId: string; base: string }): Promise<Uploads | undefined>;
}

/** Creates a run and answers its id. The manifest is written last: a run that was cut short here never was. */
export async function createRun(store: ObjectStore, run: NewRun): Promise<string> {
  const runId = `run_${ulid()}`;
  const artifacts = openRunArtifacts(store, runId);
  const author = run.author;
  await artifacts.write(artifact.guideline, Buffer.from(run.guideline, "utf8"), { author });
  const uploads = await run.fill?.({ runId, base: `runs/${runId}/` });
  if (uploads !== undefined) {
    await artifacts.write(artifact.uploads, Buffer.from(`${JSON.stringify(uploads, null, 2)}\n`), { author });
  }
  await openLedger(store, runId).createManifest({
    v: 1,
    run_id: runId,
    title: run.title,
    created_at: new Date().toISOString(),
    plan: run.plan,
    options: run.options,
  });
  return runId;
}

/** Ids of all runs in the store, oldest first. */
export async function* listRuns(store: ObjectStore, signal?: AbortSignal): AsyncGenerator<string> {
  let last = "";
  for await (const info of store.list("runs/", signal === undefined ? {} : { signal })) {
    const match = /^runs\/(run_[0-9A-HJKMNP-TV-Z]{26})\/\.nova\/run\.json$/.exec(info.key);
    if (match?.[1] !== undefined && match[1] !== last) {
      last = match[1];
      yield last;
    }
  }
}
