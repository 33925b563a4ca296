import {
  artifact,
  type ErrorCode,
  errorCodes,
  ProofroomError,
  type Uploads,
  uploadsSchema,
} from "@proofroom/contracts";
import type { StepArtifacts } from "@proofroom/runtime";

type UploadEntry = Uploads["entries"][number];

/**
 * What became of one local file or folder of the guideline when it was copied into the run.
 * @param path as the guideline gives it
 * @throws ProofroomError not_found, or the failure that the copying ended with
 */
export async function readUploadEntry(artifacts: StepArtifacts, path: string): Promise<UploadEntry> {
  const uploads = await artifacts.readJson(artifact.uploads, uploadsSchema);
  const entry = uploads.entries.find((candidate) => candidate.path === path);
  if (entry === undefined) throw missing();
  if (entry.error === undefined) return entry;
  const { code, message, remedy } = entry.error;
  throw new ProofroomError({
    code: errorCodes.find((known): known is ErrorCode => known === code) ?? "invalid_input",
    message,
    ...(remedy === undefined ? {} : { remedy }),
    disposition: { kind: "fail" },
  });
}

/** The artifact that holds the copy of a file; `file` is a path below the uploads. */
export function uploadArtifact(file: string): string {
  return `.nova/uploads/${file}`;
}

function missing(): ProofroomError {
  return new ProofroomError({
    code: "not_found",
    message: "The file is not among the run's uploads.",
    remedy: "Check its path in the guideline, and that it lies beside the guideline.",
  });
}
