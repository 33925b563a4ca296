import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { openRunArtifacts } from "@proofroom/artifacts";
import { artifact, ProofroomError, runIdSchema } from "@proofroom/contracts";
import { listRunIds } from "@proofroom/runtime/records";
import {
  artifactUri,
  artifactUriTemplate,
  mediaTypeOf,
  parseArtifactUri,
} from "../artifacts/artifact-uri.ts";
import { pageLimit, readPage } from "../artifacts/read-page.ts";
import type { GatewayDeps } from "../gateway-deps.ts";
import { completeRunId } from "./complete-run-id.ts";
import { guarded } from "./guarded.ts";
import { wrapHandler } from "./wrap-handler.ts";

/** Runs whose artifacts make one page of the list. */
const runsListed = 10;

/** What a reader looks for in a run, in the order of its making. */
const mainArtifacts = [artifact.guideline, artifact.research, artifact.article, artifact.page];

interface ListRequest {
  /** As it was sent: the SDK has not looked at it yet. */
  params?: { cursor?: unknown };
}

async function mainResourcesOf({ store }: GatewayDeps, runId: string) {
  const found = await Promise.all(mainArtifacts.map((name) => store.head(`runs/${runId}/${name}`)));
  return mainArtifacts.flatMap((name, at) => {
    const size = found[at]?.size;
    if (size === undefined) return [];
    return { uri: artifactUri(runId, name), name: `${name} of ${runId}`, mimeType: mediaTypeOf(name), size };
  });
}

/** A cursor holds the last run of the page before. @throws ProofroomError invalid_input */
function runOfCursor(cursor: unknown): string {
  const text = typeof cursor === "string" ? cursor : "";
  const runId = runIdSchema.safeParse(Buffer.from(text, "base64url").toString("latin1"));
  if (runId.success) return runId.data;
  throw new ProofroomError({ code: "invalid_input", message: "The cursor is none of this list's." });
}

/** A page of the list: the main artifacts of some runs, newest first. */
async function listed(deps: GatewayDeps, cursor: unknown) {
  const before = cursor === undefined ? undefined : runOfCursor(cursor);
  const ids = (await listRunIds(deps.store, { tenant: deps.tenant })).filter(
    (id) => before === undefined || id < before,
  );
  const shown = ids.slice(0, runsListed);
  const resources = (await Promise.all(shown.map((runId) => mainResourcesOf(deps, runId)))).flat();
  const last = ids.length > shown.length ? shown.at(-1) : undefined;
  return {
    resources,
    ...(last === undefined ? {} : { nextCursor: Buffer.from(last, "latin1").toString("base64url") }),
  };
}

async function artifactsStarting(deps: GatewayDeps, runId: string | undefined, start: string) {
  const run = runIdSchema.safeParse(runId);
  if (!run.success) return mainArtifacts.filter((name) => name.startsWith(start));
  const names = [...(await openRunArtifacts(deps.store, run.data).heads()).keys()];
  return names.filter((name) => name.startsWith(start));
}

/** A page of an artifact; where more follows, a second part says where. */
async function read(deps: GatewayDeps, uri: URL) {
  const { runId, name, offset } = parseArtifactUri(uri);
  const page = await readPage(deps.store, { runId, name, offset, limit: pageLimit });
  const body = page.encoding === "utf8" ? { text: page.text } : { blob: page.text };
  const mimeType = page.encoding === "utf8" ? mediaTypeOf(name) : "application/octet-stream";
  const next = page.nextOffset === null ? null : artifactUri(runId, name, page.nextOffset);
  const more = { mimeType: "text/plain", text: `There is more: read ${next} (of ${page.totalBytes} bytes).` };
  return {
    contents: [{ uri: uri.href, mimeType, ...body }, ...(next === null ? [] : [{ uri: next, ...more }])],
  };
}

/** Offers the artifacts of the caller's runs as resources. */
export function registerResources(server: McpServer, open: () => Promise<GatewayDeps>): void {
  const template = new ResourceTemplate(artifactUriTemplate, {
    list: undefined,
    complete: {
      run_id: completeRunId(open),
      artifact: (value, context) =>
        guarded(open().then((deps) => artifactsStarting(deps, context?.arguments?.["run_id"], value))),
    },
  });
  server.registerResource(
    "artifact",
    template,
    {
      title: "Artifact of a run",
      description: `A named file of a run, such as research.md or .nova/citations.json, in pages of ${pageLimit} bytes.`,
    },
    (uri) => guarded(open().then((deps) => read(deps, uri))),
  );
  // The SDK's own lists know no pages; what others have registered stands on the first.
  wrapHandler<ListRequest>(server, "resources/list", (ordinary) => async (request, context) => {
    const cursor = request.params?.cursor;
    const page = await guarded(open().then((deps) => listed(deps, cursor)));
    const fixed = (await ordinary(request, context)) as { resources: unknown[] };
    return {
      ...fixed,
      ...page,
      resources: [...(cursor === undefined ? fixed.resources : []), ...page.resources],
    };
  });
}
