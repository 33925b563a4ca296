import type { RunArtifacts } from "@proofroom/artifacts";
import { type Gathered, gatheredArtifact, ProofroomError } from "@proofroom/contracts";
import type { Handlers, StepArtifacts, StepContext } from "@proofroom/runtime";
import type { Logger } from "@proofroom/telemetry";
import type { z } from "zod";
import { gatherers, type Imported } from "./candidate.ts";

export interface FillOptions {
  artifacts: RunArtifacts;
  /** Makes the index and research.md of what was gathered, by import as after any other gathering. */
  createResearchFile: Handlers<"research">["create_research_file"];
  log: Logger;
  signal: AbortSignal;
}

const author = "import";

/** Files the sources as if they had been gathered in this run, and has the index and research.md made of them. Answers how many there are. */
export async function fillRun(imported: Imported, options: FillOptions): Promise<number> {
  const store = importArtifacts(options);
  for (const { artifact, source } of imported.sources) await store.writeJson(artifact, source);
  for (const gatherer of gatherers) {
    const gathered: Gathered = {
      v: 1,
      sources: imported.sources
        .filter((one) => one.gatherer === gatherer)
        .map(({ artifact, source: { ref, kind, title, sha256, provenance } }) => ({
          ref,
          kind,
          title,
          artifact,
          sha256,
          ...(provenance.queries === undefined ? {} : { queries: provenance.queries }),
        })),
      failures: imported.failures.filter((one) => one.gatherer === gatherer).map(({ failure }) => failure),
    };
    if (gathered.sources.length + gathered.failures.length > 0)
      await store.writeJson(gatheredArtifact(gatherer), gathered);
  }
  const { sources } = await options.createResearchFile({}, contextOf(store, options));
  return sources;
}

function contextOf(artifacts: StepArtifacts, { signal, log, ...options }: FillOptions): StepContext {
  return {
    runId: options.artifacts.runId,
    stepId: "create_research_file",
    generation: 1,
    artifacts,
    signal,
    log,
    progress() {},
    async fanOut() {
      throw new ProofroomError({ code: "internal", message: "An import submits no jobs." });
    },
  };
}

/** The artifacts as a step sees them, signed as imported. */
function importArtifacts({ artifacts, signal }: FillOptions): StepArtifacts {
  const tryReadBytes = async (name: string) => {
    const version = await artifacts.latest(name, undefined, signal);
    return version === null ? null : artifacts.read(name, version, signal);
  };
  const readBytes = async (name: string) => {
    const bytes = await tryReadBytes(name);
    if (bytes !== null) return bytes;
    throw new ProofroomError({ code: "not_found", message: `The run has no ${name} yet.` });
  };
  const decoded = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");
  const parsed = <Schema extends z.ZodType>(bytes: Uint8Array, schema: Schema) =>
    schema.parse(JSON.parse(decoded(bytes)));
  const writeBytes = (name: string, bytes: Uint8Array) => artifacts.write(name, bytes, { author, signal });
  return {
    readBytes,
    readText: async (name) => decoded(await readBytes(name)),
    readJson: async (name, schema) => parsed(await readBytes(name), schema),
    async tryReadText(name) {
      const bytes = await tryReadBytes(name);
      return bytes === null ? null : decoded(bytes);
    },
    async tryReadJson(name, schema) {
      const bytes = await tryReadBytes(name);
      return bytes === null ? null : parsed(bytes, schema);
    },
    hasPersons: async () => false,
    list: (prefix) => Array.fromAsync(artifacts.list(prefix, signal)),
    writeBytes,
    writeText: (name, text) => writeBytes(name, Buffer.from(text, "utf8")),
    writeJson: (name, value) => writeBytes(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`, "utf8")),
  };
}
