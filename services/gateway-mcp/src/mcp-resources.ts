import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { openRunArtifacts } from "@proofroom/artifacts";
import { artifact, runIdSchema } from "@proofroom/contracts";
import { listRuns } from "@proofroom/runtime/records";
import { artifactUri, artifactUriTemplate, mediaTypeOf, parseArtifactUri } from "./artifacts/artifact-uri.ts";
import { pageLimit, readPage } from "./artifacts/read-page.ts";
import type { GatewayDeps } from "./gateway-deps.ts";
import { guarded } from "./mcp-errors.ts";

/** Runs whose artifacts are listed, and how many values a completion may have. */
const runsListed = 10;
const completions = 100;

/** What a reader looks for in a run, in the order of its making. */
const mainArtifacts = [artifact.guideline, artifact.research, artifact.article, artifact.page];

async function newestRuns(deps: GatewayDeps): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of listRuns(deps.store)) ids.push(id);
  return ids.reverse();
}

async function listed(deps: GatewayDeps) {
  const resources = [];
  for (const runId of (await newestRuns(deps)).slice(0, runsListed)) {
    const heads = await openRunArtifacts(deps.store, runId).heads();
    for (const name of mainArtifacts) {
      if (!heads.has(name)) continue;
      resources.push({
        uri: artifactUri(runId, name),
        name: `${name} of ${runId}`,
        mimeType: mediaTypeOf(name),
      });
    }
  }
  return { resources };
}

async function artifactsStarting(deps: GatewayDeps, runId: string | undefined, start: string) {
  const run = runIdSchema.safeParse(runId);
  if (!run.success) return mainArtifacts.filter((name) => name.startsWith(start));
  const names = [...(await openRunArtifacts(deps.store, run.data).heads()).keys()];
  return names.filter((name) => name.startsWith(start)).slice(0, completions);
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

/** Offers the artifacts of all runs as resources. */
export function registerResources(server: McpServer, open: () => Promise<GatewayDeps>): void {
  const template = new ResourceTemplate(artifactUriTemplate, {
    list: () => guarded(open().then(listed)),
    complete: {
      run_id: async (value) =>
        (await guarded(open().then(newestRuns))).filter((id) => id.startsWith(value)).slice(0, completions),
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
}
