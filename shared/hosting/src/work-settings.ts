import {
  type Config,
  gitConfig,
  healthConfig,
  homeConfig,
  modelsConfig,
  networkConfig,
  type Places,
  pageCacheConfig,
  redisConfig,
  resolveFolders,
  searchConfig,
  storeConfig,
  telemetryConfig,
  tenantJobsConfig,
  webConfig,
} from "@proofroom/config";

/** The settings that every program with workers knows. */
export const workConfig = homeConfig
  .and(storeConfig)
  .and(redisConfig)
  .and(networkConfig)
  .and(gitConfig)
  .and(pageCacheConfig)
  .and(searchConfig)
  .and(webConfig)
  .and(modelsConfig)
  .and(healthConfig)
  .and(tenantJobsConfig)
  .and(telemetryConfig);

type Parsed = Config<typeof workConfig>;
type Env = Readonly<Record<string, string | undefined>>;

export interface WorkSettings {
  /** The folder that the user stood in. */
  cwd: string;
  /** The folder of the checkout. */
  checkout: string;
  home: string;
  store: NonNullable<Parsed["store"]>;
  s3: Parsed["s3"];
  /** None where it is to be a private one. */
  redis: Parsed["redis"];
  allowHosts: ReadonlySet<string>;
  git: Parsed["git"];
  /** How old a fetched page may be that serves another run; null where each fetches for itself. */
  pageCacheMs: number | null;
  search: Parsed["search"];
  /** How web pages are fetched. */
  web: Parsed["web"];
  /** The file that names the models, as the user gave it. */
  modelsFile: string | undefined;
  /** Whether what models are asked and answer is kept with the run. */
  record: boolean;
  /** How long one call of a model may take. */
  modelTimeoutMs: number;
  /** How many jobs of one queue a tenant may have at work at one time; null is any number. */
  tenantJobs: number | null;
  /** Where the process tells of its health, as far as somebody said so. */
  health: Parsed["health"];
  /** Where traces go beside the runs, and what they may say. */
  traces: Parsed["traces"];
  /** Names of the variables that are set, whatever they hold. */
  given: ReadonlySet<string>;
  /** The value of a setting that a file names. Secrets are among them: it goes nowhere but to whom it is for. */
  setting(name: string): string | undefined;
}

/** The settings as programs use them. */
export function workSettings(parsed: Parsed, env: Env, places: Places): WorkSettings {
  return {
    ...resolveFolders(parsed, env, places),
    checkout: places.checkout,
    s3: parsed.s3,
    redis: parsed.redis,
    allowHosts: new Set(parsed.allowHosts),
    git: parsed.git,
    pageCacheMs: parsed.pageCacheMs,
    search: parsed.search,
    web: parsed.web,
    modelsFile: parsed.modelsFile,
    record: parsed.record,
    modelTimeoutMs: parsed.modelTimeoutMs,
    tenantJobs: parsed.tenantJobs,
    health: parsed.health,
    traces: parsed.traces,
    given: new Set(Object.keys(env).filter((name) => env[name])),
    setting: (name) => env[name] || undefined,
  };
}
