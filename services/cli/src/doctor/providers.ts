import { publicCapabilities } from "@proofroom/contracts";
import { readModelsFile } from "@proofroom/hosting/program";
import { describeModels, type EndpointDescription } from "@proofroom/models";
import type { CommandContext } from "../commands/context.ts";
import { searchSettings } from "../search-providers.ts";
import { type Finding, withDefaultFinding } from "./finding.ts";
import { callTimeouts, modelFindings } from "./models.ts";
import { isReached } from "./reach.ts";
import { shownValues } from "./values.ts";

const withDefault = [
  "TAVILY_BASE_URL",
  "TAVILY_TIMEOUT",
  "SEARXNG_TIMEOUT",
  "PERPLEXITY_BASE_URL",
  "PERPLEXITY_TIMEOUT",
  "ARXIV_BASE_URL",
  "ARXIV_TIMEOUT",
  "WIKIPEDIA_BASE_URL",
  "WIKIPEDIA_TIMEOUT",
  "WIKIPEDIA_LANGUAGE",
  "PROOFROOM_MODELS",
  "PROOFROOM_MODEL_TIMEOUT",
  "PROOFROOM_RECORD",
  "PROOFROOM_STORE",
  "PROOFROOM_ALLOW_HOSTS",
  "PROOFROOM_PAGE_CACHE",
  "PROOFROOM_TENANT_JOBS",
  "PROOFROOM_QUEUES",
  "PROOFROOM_CONCURRENCY",
  "PROOFROOM_GRACE",
] as const;

/** What each setting is for, in words, by its name. */
function purposes(endpoints: readonly EndpointDescription[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (setting: string, what: string) => found.set(setting, [...(found.get(setting) ?? []), what]);
  for (const { settings, models } of endpoints) {
    for (const { setting, needed } of settings) if (needed) add(setting, models.join(", "));
  }
  for (const setting of searchSettings) add(setting, "run_web_research");
  for (const { name, needs } of publicCapabilities()) for (const setting of needs ?? []) add(setting, name);
  return found;
}

async function reached(context: CommandContext, endpoint: EndpointDescription): Promise<Finding> {
  const { name, api, key, baseUrl } = endpoint;
  const finding = await isReached({ api, key, baseUrl }, context.signal);
  return { name: `${name} (online)`, ...finding };
}

/** What is set of the providers' settings, which roles have a model, and with `online` whether those that are set are there. */
export async function providerFindings(context: CommandContext, online: boolean): Promise<Finding[]> {
  const { given, setting, search } = context.settings;
  const description = await describeModels(await readModelsFile(context.settings), setting);
  const { endpoints } = description;
  const values = new Map([...shownValues(context.settings), ...callTimeouts(description, context.settings)]);
  const needed = purposes(endpoints);
  const optional = endpoints.flatMap(({ settings }) => settings.map((one) => one.setting));
  const findings: Finding[] = [];
  for (const [name, what] of needed) {
    findings.push(
      given.has(name)
        ? { name, state: "ok", what: "set" }
        : { name, state: "optional", what: `not set; it enables ${what.join(", ")}` },
    );
  }
  for (const name of new Set([...optional, ...withDefault])) {
    if (!needed.has(name)) findings.push(withDefaultFinding(name, given, values.get(name)));
  }
  findings.push(...modelFindings(description, context.settings));
  if (!online) return findings;
  const asked = endpoints
    .filter(({ configured }) => configured)
    .map((endpoint) => reached(context, endpoint));
  const places: [string, string | undefined][] = [
    ["tavily", given.has("TAVILY_API_KEY") ? search.tavily.baseUrl : undefined],
    ["searxng", search.searxng.baseUrl],
    ["perplexity", given.has("PERPLEXITY_API_KEY") ? search.perplexity.baseUrl : undefined],
    ["arxiv", search.arxiv.baseUrl],
  ];
  for (const [name, baseUrl] of places) {
    if (baseUrl === undefined) continue;
    const finding = isReached({ api: null, key: undefined, baseUrl }, context.signal);
    asked.push(finding.then((found) => ({ name: `${name} (online)`, ...found })));
  }
  return [...findings, ...(await Promise.all(asked))];
}
