import { openRunArtifacts } from "@proofroom/artifacts";
import { isBookkeeping } from "@proofroom/contracts";
import { z } from "zod";
import { artifactMediaTypes, mediaTypeOf } from "../content/media-type.ts";
import { sendArtifact } from "../content/send-artifact.ts";
import { findArtifact } from "../content/stored-artifact.ts";
import { type Answer, type Route, route } from "../routing/route.ts";
import { requireRun } from "../runs/require-run.ts";
import { runParams } from "./schemas.ts";

const listed = z.object({
  name: z.string(),
  size: z.int().describe("Bytes."),
  modified: z.iso.datetime(),
  media_type: z.string(),
  version: z.int().nullable().describe("Of its newest version; null for uploads, which have none."),
});

const artifactParams = runParams.extend({
  name: z.string().describe("The name, slashes included: `research.md`, `.nova/citations.json`."),
});

const contentHeaders = {
  ETag: "The sha256 of the version, in quotes.",
  "Artifact-Version": "The number of the version.",
  "Accept-Ranges": "`bytes`.",
};

const contentAnswers: Readonly<Record<number, Answer>> = {
  200: {
    description: "The content, by its type.",
    mediaType: artifactMediaTypes,
    headers: contentHeaders,
  },
  304: { description: "It is what the client has (If-None-Match)." },
};

/** The routes by which artifacts are found and read. */
export function artifactRoutes(): Route[] {
  const content = {
    path: "/v1/runs/{run_id}/artifacts/{name+}",
    tag: "artifacts",
    params: artifactParams,
    headers: { "If-None-Match": z.string().describe("An ETag that the client has.") },
    problems: [404],
  } as const;
  return [
    route({
      method: "GET",
      path: "/v1/runs/{run_id}/artifacts",
      id: "listArtifacts",
      tag: "artifacts",
      summary: "List the artifacts of a run",
      params: runParams,
      answers: {
        200: { description: "Its artifacts, by name.", schema: z.object({ artifacts: z.array(listed) }) },
      },
      problems: [404],
      async handle({ params, store, signal }) {
        const { run_id } = await requireRun(store, params.run_id);
        const base = `runs/${run_id}/`;
        const heads = await openRunArtifacts(store, run_id).heads(signal);
        const artifacts: z.infer<typeof listed>[] = [];
        for await (const { key, size, modified } of store.list(base, { signal })) {
          const name = key.slice(base.length);
          if (isBookkeeping(name)) continue;
          const version = heads.get(name) ?? null;
          artifacts.push({
            name,
            size,
            modified: modified.toISOString(),
            media_type: mediaTypeOf(name),
            version,
          });
        }
        return { artifacts };
      },
    }),
    route({
      ...content,
      method: "GET",
      id: "getArtifact",
      summary: "Read an artifact",
      description: "The newest version. One range of bytes may be asked for.",
      headers: {
        ...content.headers,
        Range: z.string().describe("One range of bytes."),
        "If-Range": z.string().describe("An ETag: another version is sent whole."),
      },
      answers: {
        ...contentAnswers,
        206: {
          description: "The range.",
          mediaType: artifactMediaTypes,
          headers: { ...contentHeaders, "Content-Range": "Which bytes of how many." },
        },
      },
      problems: [404, 416],
      async handle({ params, store, request, reply, signal }) {
        const { run_id } = await requireRun(store, params.run_id);
        const found = await findArtifact(store, run_id, params.name);
        return sendArtifact(request, reply, { store, name: params.name, found, signal });
      },
    }),
    route({
      ...content,
      method: "HEAD",
      id: "headArtifact",
      summary: "Look at an artifact",
      answers: {
        ...contentAnswers,
        200: { description: "What reading it would tell.", headers: contentHeaders },
      },
      async handle({ params, store, request, reply, signal }) {
        const { run_id } = await requireRun(store, params.run_id);
        const found = await findArtifact(store, run_id, params.name);
        return sendArtifact(request, reply, { store, name: params.name, found, signal });
      },
    }),
  ];
}
