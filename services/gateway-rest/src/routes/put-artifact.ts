import { openRunArtifacts } from "@proofroom/artifacts";
import { artifact, ProofroomError } from "@proofroom/contracts";
import { namesTag } from "../content/entity-tags.ts";
import { isWritable, requireArtifactName } from "../content/stored-artifact.ts";
import type { AppDeps } from "../deps.ts";
import { decodeText } from "../plugins/bodies.ts";
import { HttpProblem } from "../problems/http-problem.ts";
import { type Route, rawRoute } from "../routing/route.ts";
import { requireRun } from "../runs/require-run.ts";
import { artifactParams } from "./artifacts.ts";
import { artifactRefAnswer } from "./schemas.ts";

/** A text may be this large, in bytes. */
const textLimit = 4 * 1024 * 1024;

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
export function putArtifactRoute({ store, events }: Pick<AppDeps, "store" | "events">): Route {
  return rawRoute({
    method: "PUT",
    path: "/v1/runs/{run_id}/artifacts/{name+}",
    id: "putArtifact",
    tag: "artifacts",
    summary: "Write a text",
    description: `Adds a version by a person. ${artifact.guideline}, ${artifact.article} and .nova/sections/ID.md can be written. Steps that read the version before are stale: resume the run.`,
    params: artifactParams,
    headers: {
      "If-Match": "The ETag of the version that the text was made from.",
      "If-None-Match": "`*`: only where there is none yet.",
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
    async handle({ params, body, request, reply }) {
      const { run_id } = await requireRun(store, params.run_id);
      const name = requireArtifactName(params.name);
      if (!isWritable(name)) {
        throw new ProofroomError({
          code: "invalid_input",
          message: `Only ${artifact.guideline}, ${artifact.article} and .nova/sections/ID.md can be written.`,
        });
      }
      const bytes = body instanceof Uint8Array ? body : new Uint8Array();
      if (decodeText(bytes).trim() === "") {
        throw new ProofroomError({ code: "invalid_input", message: "The text is empty." });
      }
      const artifacts = openRunArtifacts(store, run_id);
      const head = await artifacts.latest(name);
      assertConditions(head === null ? null : `"${head.sha256}"`, {
        ifMatch: request.headers["if-match"],
        ifNoneMatch: request.headers["if-none-match"],
      });
      const written = await artifacts.write(name, bytes, { author: "person" });
      if (written.version !== head?.n) events.publish({ run_id, type: "artifact.written", artifact: name });
      return reply.header("etag", `"${written.sha256}"`).send(written);
    },
  });
}
