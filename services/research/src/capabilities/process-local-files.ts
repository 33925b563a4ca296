import {
  artifact,
  errorCodes,
  ingestDocument,
  ingestRepository,
  type PublicError,
  processLocalFiles,
  type Uploads,
  uploadsSchema,
} from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";
import { type GatherRequest, gather } from "./gather.ts";
import { readReferences } from "./guideline-references.ts";
import { fileNameOf } from "./unique-names.ts";

type Upload = Uploads["entries"][number];

/** Reads the guideline's local files from the copies that came with the run; what it does not name is ignored. */
export const handleProcessLocalFiles: Handler<typeof processLocalFiles> = async (_input, context) => {
  const { local_file_paths: paths, rejected } = await readReferences(context);
  const uploads = await context.artifacts.tryReadJson(artifact.uploads, uploadsSchema);
  const byPath = new Map(uploads?.entries.map((entry) => [entry.path, entry]));
  // What a guideline merely mentions is no source if its kind is not a usual one; handed over under that name it is.
  const refused = new Set(rejected.map(({ ref }) => ref));
  const unusual = [...byPath.keys()].filter(
    (path) => refused.has(path) || refused.has(encodeURI(path.toWellFormed())),
  );
  return gather(context, {
    name: processLocalFiles.name,
    requests: [...new Set([...paths, ...unusual])].map((path) => requestFor(path, byPath.get(path))),
    folder: ".nova/local_files_from_research/",
    copyName: ({ ref }) =>
      fileNameOf(
        ref
          .replace(/\/+$/, "")
          .replaceAll("/", "_")
          .replace(/\.(?:md|ipynb)$/i, ""),
      ),
  });
};

function requestFor(path: string, upload: Upload | undefined): GatherRequest {
  if (upload === undefined) {
    return { ref: path, kind: path.endsWith("/") ? "folder" : "document", failure: notHandedOver };
  }
  const kind = upload.kind === "file" ? "document" : upload.kind;
  if (upload.error !== undefined) return { ref: path, kind, failure: knownError(upload.error) };
  const revision = upload.revision === undefined ? {} : { revision: upload.revision };
  if (kind === "document")
    return { ref: path, kind, job: { capability: ingestDocument, input: { path, ...revision } } };
  return {
    ref: path,
    kind,
    job: { capability: ingestRepository, input: { ref: path, origin: "upload", ...revision } },
  };
}

const notHandedOver: PublicError = {
  code: "not_found",
  message: "The file was not handed over with the run.",
  remedy: "Check the path: it is relative to the guideline's folder.",
};

/** The copier's error; a code that is not one of ours becomes `internal`. */
function knownError({ code, message, remedy }: NonNullable<Upload["error"]>): PublicError {
  const known = errorCodes.find((one) => one === code) ?? "internal";
  return { code: known, message, ...(remedy === undefined ? {} : { remedy }) };
}
