import { type ingestDocument, ProofroomError } from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";
import type { ParsePool } from "../parsing/parse-pool.ts";
import { ingestDocumentBytes } from "./ingest-document-bytes.ts";
import { storeSource } from "./stored-source.ts";
import { readUploadEntry, uploadArtifact } from "./upload-entry.ts";

export interface IngestDocumentDeps {
  now(): Date;
  parsing: ParsePool;
}

/** Serves `ingest_document`: the uploaded copy of a file becomes a source of the run. */
export function createIngestDocument({ now, parsing }: IngestDocumentDeps): Handler<typeof ingestDocument> {
  return async ({ path }, context) => {
    const entry = await readUploadEntry(context.artifacts, path);
    const file = entry.files[0];
    if (entry.kind !== "file" || file === undefined) {
      throw new ProofroomError({
        code: "invalid_input",
        message: "The path names a folder, not a file.",
        remedy: "End its path with a slash in the guideline.",
      });
    }
    const bytes = await context.artifacts.readBytes(uploadArtifact(file));
    const source = await ingestDocumentBytes({
      ref: path,
      bytes,
      signal: context.signal,
      parsing,
      retrievedAt: now().toISOString(),
    });
    return storeSource(context, source);
  };
}
