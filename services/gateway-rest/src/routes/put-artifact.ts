import { openRunArtifacts, type RunArtifacts } from "@proofroom/artifacts";
import { type ArtifactRef, isProofroomError, ProofroomError } from "@proofroom/contracts";
import { z } from "zod";
import { namesTag } from "../content/entity-tags.ts";
import { writable } from "../content/stored-artifact.ts";
import type { RouteDeps } from "../deps.ts";
import { decodeText } from "../plugins/bodies.ts";
import { HttpProblem } from "../problems/http-problem.ts";
import { type Route, rawRoute } from "../routing/route.ts";
import { requireRun } from "../runs/require-run.ts";
import { artifactRefAnswer, runParams } from "./schemas.ts";

/** A text may be this large, in bytes. */
const textLimit = 4 * 1024 * 1024;

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

/**
 * Writes where the conditions hold of the version that it is written over; answers also that one's number.
 * @throws HttpProblem 412
 */
async function writeOver(
  artifacts: RunArtifacts,
  name: string,
  bytes: Uint8Array,
  conditions: Conditions,
): Promise<{ head: number; written: ArtifactRef }> {
  const isConditional = conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined;
  for (;;) {
    const found = await artifacts.latest(name);
    assertConditions(found === null ? null : `"${found.sha256}"`, conditions);
    const head = found?.n ?? 0;
    const over = isConditional ? head : undefined;
    try {
      return { head, written: await artifacts.write(name, bytes, { author: "person", over }) };
    } catch (error) {
      // Where another version came between, the conditions are asked of that one.
      const isOvertaken = isProofroomError(error) && error.code === "conflict" && isConditional;
      if (!isOvertaken || (await artifacts.latest(name))?.n === found?.n) throw error;
    }
  }
}

/** The route by which a person, or an agent for them, writes a text of a run. */
export function putArtifactRoute({ events }: Pick<RouteDeps, "events">): Route {
  return rawRoute({
    method: "PUT",
    path: "/v1/runs/{run_id}/artifacts/{name+}",
    id: "putArtifact",
    tag: "artifacts",
    summary: "Write a text",
    description: `Adds a version by a person. ${names} can be written. Steps that read the version before are stale: resume the run.`,
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
      const bytes = body instanceof Uint8Array ? body : new Uint8Array();
      if (decodeText(bytes).trim() === "") {
        throw new ProofroomError({ code: "invalid_input", message: "The text is empty." });
      }
      const conditions = {
        ifMatch: request.headers["if-match"],
        ifNoneMatch: request.headers["if-none-match"],
      };
      const { head, written } = await writeOver(openRunArtifacts(store, run_id), name, bytes, conditions);
      if (written.version !== head) events.publish({ run_id, type: "artifact.written", artifact: name });
      return reply.header("etag", `"${written.sha256}"`).send(written);
    },
  });
}
