import type { Settings } from "../settings.ts";

const seconds = (ms: number) => `${ms / 1_000} s`;
const onOff = (isOn: boolean) => (isOn ? "on" : "off");

/** In the largest unit that it is whole in. */
function ageText(ms: number): string {
  const units = [
    ["d", 86_400_000],
    ["h", 3_600_000],
  ] as const;
  const [unit, of] = units.find(([, size]) => ms % size === 0) ?? ["s", 1_000];
  return `${ms / of}${unit}`;
}

/** What counts of each setting that holds no secret and has a default, as far as the settings know it. */
export function shownValues(settings: Settings): ReadonlyMap<string, string> {
  const { web, search, store } = settings;
  const known: Record<string, string | undefined> = {
    PROOFROOM_STORE: store.kind === "file" ? `file:${store.folder}` : `s3://${store.bucket}/${store.prefix}`,
    PROOFROOM_MODELS: settings.modelsFile ?? "infra/models.yaml",
    PROOFROOM_MODEL_TIMEOUT: seconds(settings.modelTimeoutMs),
    PROOFROOM_RECORD: onOff(settings.record),
    PROOFROOM_ALLOW_HOSTS: [...settings.allowHosts].join(", ") || "none",
    PROOFROOM_PAGE_CACHE: settings.pageCacheMs === null ? "off" : ageText(settings.pageCacheMs),
    PROOFROOM_TENANT_JOBS: settings.tenantJobs === null ? "any number" : String(settings.tenantJobs),
    PROOFROOM_FETCH_TIMEOUT: seconds(web.timeoutMs),
    PROOFROOM_ROBOTS: onOff(web.robots),
    PROOFROOM_SITE_PAGES: String(web.sitePages),
    FIRECRAWL_TIMEOUT: web.firecrawl === undefined ? undefined : seconds(web.firecrawl.timeoutMs),
    PROOFROOM_QUEUES: settings.setting("PROOFROOM_QUEUES") ?? "all",
    PROOFROOM_CONCURRENCY: settings.setting("PROOFROOM_CONCURRENCY") ?? "as many as the catalog says of each",
    PROOFROOM_GRACE: settings.graceMs === undefined ? undefined : seconds(settings.graceMs),
    WIKIPEDIA_LANGUAGE: search.wikipedia.language ?? "that of the guideline",
  };
  for (const [provider, { baseUrl, timeoutMs }] of Object.entries(search)) {
    known[`${provider.toUpperCase()}_BASE_URL`] = baseUrl;
    known[`${provider.toUpperCase()}_TIMEOUT`] = timeoutMs === undefined ? undefined : seconds(timeoutMs);
  }
  return new Map(
    Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
