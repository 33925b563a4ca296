import { Readable } from "node:stream";
import { assertArtifactName, ProofroomError } from "@proofroom/contracts";
import { openLedger } from "@proofroom/runtime/records";
import { z } from "zod";
import { artifactAddress } from "../content/artifact-address.ts";
import { type Route, rawRoute } from "../routing/route.ts";
import { addUpload } from "../runs/add-upload.ts";
import { requireRun } from "../runs/require-run.ts";
import { runParams } from "./schemas.ts";

/** A file may be this large, in bytes: what ingestion takes. */
const fileLimit = 32 * 1024 * 1024;

function tooLarge(): ProofroomError {
  return new ProofroomError({ code: "too_large", message: `A file may have ${fileLimit / 1024 / 1024} MB.` });
}

/** The bytes of a request, cut off where they become too many. */
async function* limited(source: Readable): AsyncGenerator<Uint8Array> {
  let size = 0;
  // The rest of what is refused is passed over with the answer.
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    const bytes: Uint8Array = chunk;
    size += bytes.byteLength;
    if (size > fileLimit) throw tooLarge();
    yield bytes;
  }
}

/** The route by which the local files of a guideline come into a run. */
export function uploadRoute(): Route {
  return rawRoute({
    method: "POST",
    path: "/v1/runs/{run_id}/uploads",
    id: "uploadFile",
    tag: "artifacts",
    summary: "Upload a local source",
    description:
      "Stores a file that the guideline names, by its path or by a folder above it (`docs/` names docs/a.md). Only before the run is started: create it with `start` false, upload, then resume it.",
    params: runParams,
    query: z.object({
      path: z
        .string()
        .min(1)
        .describe("The file's path as the guideline gives it, or below a folder that it gives."),
    }),
    body: { kind: "stream", limit: fileLimit },
    answers: {
      201: {
        description: "It is stored.",
        schema: z.object({ path: z.string(), artifact: z.string() }),
        headers: { Location: "Its address." },
      },
    },
    problems: [404, 409],
    async handle({ params, query, body, store, request, reply, signal }) {
      const { run_id } = await requireRun(store, params.run_id);
      const name = assertArtifactName(`.nova/uploads/${assertArtifactName(query.path)}`);
      if ((await openLedger(store, run_id).load()).epoch !== null) {
        throw new ProofroomError({
          code: "conflict",
          message: "The run has been started: its sources are settled.",
        });
      }
      if (Number(request.headers["content-length"] ?? 0) > fileLimit) throw tooLarge();
      const stream = body instanceof Readable ? body : Readable.from([]);
      const web = Readable.toWeb(Readable.from(limited(stream))) as ReadableStream<Uint8Array>;
      await addUpload(store, run_id, { path: query.path, body: web, signal });
      return reply
        .code(201)
        .header("location", artifactAddress(run_id, name))
        .send({ path: query.path, artifact: name });
    },
  });
}
