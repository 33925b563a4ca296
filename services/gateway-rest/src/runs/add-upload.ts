import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import {
  artifact,
  isProofroomError,
  ProofroomError,
  type Uploads,
  uploadsSchema,
} from "@proofroom/contracts";
import { withUploads } from "./upload-entries.ts";

const folder = ".nova/uploads/";

/**
 * Brings `.nova/uploads.json` up to what lies in the folder of the uploads. Two uploads may do it at once: whoever
 * finds that a version came between does it again, with what both have stored.
 */
async function listUploads(store: ObjectStore, runId: string): Promise<void> {
  const artifacts = openRunArtifacts(store, runId);
  for (;;) {
    const head = await artifacts.latest(artifact.uploads);
    const known: Uploads["entries"] =
      head === null
        ? []
        : uploadsSchema.parse(
            JSON.parse(Buffer.from(await artifacts.read(artifact.uploads, head)).toString("utf8")),
          ).entries;
    const files: string[] = [];
    for await (const name of artifacts.list(folder)) files.push(name.slice(folder.length));
    const entries = withUploads(known, files);
    const text = `${JSON.stringify({ v: 1, entries } satisfies Uploads, null, 2)}\n`;
    const { version } = await artifacts.write(artifact.uploads, Buffer.from(text), { author: "person" });
    if (version <= (head?.n ?? 0) + 1) return;
  }
}

/**
 * Stores a local file that the guideline names, itself or by a folder above it, and lists it.
 * @throws ProofroomError conflict where the run has that file already, invalid_input for a path that cannot be kept
 */
export async function addUpload(
  store: ObjectStore,
  runId: string,
  file: { path: string; body: ReadableStream<Uint8Array>; signal: AbortSignal },
): Promise<void> {
  try {
    await store.create(`runs/${runId}/${folder}${file.path}`, file.body, { signal: file.signal });
  } catch (error) {
    if (!isProofroomError(error) || error.code !== "conflict") throw error;
    // The one who stored it may have been stopped before it was listed.
    await listUploads(store, runId);
    throw new ProofroomError({
      code: "conflict",
      message: "The run has a file of that path already.",
      cause: error,
    });
  }
  await listUploads(store, runId);
}
