import type { ingestRepository as capability } from "@proofroom/contracts";
import type { Handler, StepArtifacts } from "@proofroom/runtime";
import { storeSource } from "../document/stored-source.ts";
import { readUploadEntry, uploadArtifact } from "../document/upload-entry.ts";
import type { ParsePool } from "../parsing/parse-pool.ts";
import type { GitSettings } from "./git-settings.ts";
import { ingestFolder, ingestRepository } from "./ingest-repository.ts";

export interface IngestRepositoryDeps {
  now(): Date;
  parsing: ParsePool;
  /** Where clones may lie for a while. */
  tempRoot: string;
  /** Private hosts that may be fetched all the same, as `host:port`. */
  allowHosts: ReadonlySet<string>;
  /** Tokens for git servers. */
  git: Pick<GitSettings, "access">;
  /** Passed on to git: PATH, and what the machine needs to reach the network (proxies, certificates). */
  gitEnvironment?: Readonly<Record<string, string>>;
}

/** Serves `ingest_repository`: a git repository, or an uploaded folder, becomes a source of the run. */
export function createIngestRepository(deps: IngestRepositoryDeps): Handler<typeof capability> {
  return async ({ ref, origin }, context) => {
    const common = {
      ref,
      signal: context.signal,
      parsing: deps.parsing,
      tempRoot: deps.tempRoot,
      retrievedAt: deps.now().toISOString(),
    };
    if (origin === "url") {
      const { allowHosts, git, now, gitEnvironment } = deps;
      const source = await ingestRepository({
        ...common,
        network: { allowHosts, git, now },
        ...(gitEnvironment === undefined ? {} : { gitEnvironment }),
      });
      return storeSource(context, source);
    }
    const entry = await readUploadEntry(context.artifacts, ref);
    const source = await ingestFolder({
      ...common,
      isRepository: entry.kind === "repository",
      ...(entry.commit === undefined ? {} : { commit: entry.commit }),
      ...(entry.skipped === undefined ? {} : { skipped: entry.skipped }),
      files: uploadedFiles(context.artifacts, ref, entry.files),
    });
    return storeSource(context, source);
  };
}

/** The files of an uploaded folder, one after the other, by their paths within it. */
async function* uploadedFiles(artifacts: StepArtifacts, ref: string, files: readonly string[]) {
  const folder = ref.replace(/^\.\//, "").replace(/\/*$/, "/");
  for (const file of files) {
    const path = file.startsWith(folder) ? file.slice(folder.length) : file;
    yield { path, bytes: await artifacts.readBytes(uploadArtifact(file)) };
  }
}
