import { putText, textLimit } from "@proofroom/runtime/records";
import { z } from "zod";
import { namesTag } from "../content/entity-tags.ts";
import { writable } from "../content/stored-artifact.ts";
import type { RouteDeps } from "../deps.ts";
import { decodeText } from "../plugins/bodies.ts";
import { HttpProblem } from "../problems/http-problem.ts";
import { type Route, rawRoute } from "../routing/route.ts";
import { requireRun } from "../runs/require-run.ts";
import { artifactRefAnswer, runParams } from "./schemas.ts";

const names = "article_guideline.md, article.md and .nova/sections/ID.md";

interface Conditions {
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
}

/** @throws HttpProblem 412 */
function assertConditions(etag: string | null, { ifMatch, ifNoneMatch }: Conditions): void {
  const matches = ifMatch === undefined || (etag !== null && namesTag(ifMatch, etag, "strong"));
  const isNew = ifNoneMatch === undefined || etag === null || !namesTag(ifNoneMatch, etag, "weak");
  if (matches && isNew) return;
  throw new HttpProblem({
    status: 412,
    code: "precondition_failed",
    detail: "The artifact is not the version that was named: look at it again.",
    ...(etag === null ? {} : { headers: { etag } }),
  });
}

/** The route by which a person, or an agent for them, writes a text of a run. */
export function putArtifactRoute({ events }: Pick<RouteDeps, "events">): Route {
  return rawRoute({
    method: "PUT",
    path: "/v1/runs/{run_id}/artifacts/{name+}",
    id: "putArtifact",
    tag: "artifacts",
    summary: "Write a text",
    description: `Adds a version by a person. ${names} can be written; of sections those that the outline has, once there is one. Steps that read the version before are stale: resume the run.`,
    params: runParams.extend({
      name: z
        .string()
        .regex(writable, `only ${names} can be written`)
        .describe("The name, slashes included."),
    }),
    headers: {
      "If-Match": z.string().describe("The ETag of the version that the text was made from."),
      "If-None-Match": z.string().describe("`*`: only where there is none yet."),
    },
    body: { kind: "text", limit: textLimit },
    answers: {
      200: {
        description: "The newest version.",
        schema: artifactRefAnswer,
        headers: { ETag: "Its sha256, in quotes." },
      },
    },
    problems: [404, 412],
    async handle({ params, body, store, request, reply }) {
      const { run_id } = await requireRun(store, params.run_id);
      const { name } = params;
      const text = decodeText(body instanceof Uint8Array ? body : new Uint8Array());
      const conditions = {
        ifMatch: request.headers["if-match"],
        ifNoneMatch: request.headers["if-none-match"],
      };
      const isConditional = conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined;
      const {
        n: version,
        sha256,
        size,
      } = await putText(
        { store, events },
        {
          runId: run_id,
          name,
          text,
          author: "person",
          assertOver: isConditional
            ? (newest) => assertConditions(newest === null ? null : `"${newest.sha256}"`, conditions)
            : undefined,
        },
      );
      return reply.header("etag", `"${sha256}"`).send({ name, version, sha256, size });
    },
  });
}
