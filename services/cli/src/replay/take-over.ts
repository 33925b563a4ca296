import { type ObjectStore, openRunArtifacts, readObject } from "@proofroom/artifacts";
import { artifact, createResearchFile, extractGuidelinesUrls, findCapability } from "@proofroom/contracts";
import { authorOf, openLedger } from "@proofroom/runtime/records";

/** Research that needs neither the outside world nor a model: it is done again. */
const repeatable: ReadonlySet<string> = new Set([extractGuidelinesUrls.name, createResearchFile.name]);

const uploads = ".nova/uploads/";

/** Whether what the author wrote came from outside and is taken over as it stands. */
function isGathered(author: string): boolean {
  const capability = /^([a-z_]+?)(?:-[0-9a-f]{16})?\.g\d+$/.exec(author)?.[1] ?? "";
  return (
    author === "import" || (!repeatable.has(capability) && findCapability(capability)?.owner === "research")
  );
}

/** Every version of what was gathered, under its number and its author, and the sources that the run was created with. */
async function copyArtifacts(
  store: ObjectStore,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const [theirs, ours] = [openRunArtifacts(store, from), openRunArtifacts(store, to)];
  for (const [name, head] of await theirs.heads(signal)) {
    if (name === artifact.guideline || name === artifact.uploads) continue;
    const versions = await Promise.all(
      Array.from({ length: head }, (_, at) => theirs.version(name, at + 1, signal)),
    );
    if (!versions.some(({ author }) => isGathered(author))) continue;
    for (const version of versions) {
      const bytes = await theirs.read(name, version, signal);
      await ours.write(name, bytes, { author: version.author, signal });
    }
  }
  for await (const name of theirs.list(uploads, signal)) {
    const { body } = await store.get(`runs/${from}/${name}`, { signal });
    await store.create(`runs/${to}/${name}`, body, { signal });
  }
}

/** How the steps ended that gathered: so they end in the new run too. */
async function copyRecords(store: ObjectStore, from: string, to: string): Promise<void> {
  const [theirs, ours] = [openLedger(store, from), openLedger(store, to)];
  for (const { record, failure, ...step } of (await theirs.load()).steps.values()) {
    if (!isGathered(authorOf(step.stepId, step.generation))) continue;
    if (record !== null) await ours.commit(step, record);
    else if (failure !== null) await ours.giveUp(step, failure);
  }
}

/** Gives a new run what another was created with and what it gathered; everything that follows from it is left out. */
export async function takeOver(
  store: ObjectStore,
  runs: { from: string; to: string },
  signal: AbortSignal,
): Promise<void> {
  await copyArtifacts(store, runs.from, runs.to, signal);
  await copyRecords(store, runs.from, runs.to);
}

/** The newest text of an artifact. @throws ProofroomError not_found */
export async function newestText(store: ObjectStore, runId: string, name: string): Promise<string> {
  const artifacts = openRunArtifacts(store, runId);
  const version = await artifacts.latest(name);
  const bytes =
    version === null ? await readObject(store, `runs/${runId}/${name}`) : await artifacts.read(name, version);
  return Buffer.from(bytes).toString("utf8");
}
