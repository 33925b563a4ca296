import type { Wait } from "../../search/wait.ts";
import { createFirecrawl } from "../firecrawl/firecrawl-client.ts";
import { createPatientFirecrawl } from "../firecrawl/patient-firecrawl.ts";
import type { FetchPageDeps } from "./fetch-page.ts";
import { createHostTurns } from "./host-turns.ts";
import { createRobots } from "./robots.ts";
import type { WebSettings } from "./web-settings.ts";

interface PageFetchingDeps {
  web: WebSettings;
  allowHosts: ReadonlySet<string>;
  now: () => Date;
  wait: Wait;
}

/** What all fetches of a process share, as its settings say. */
export function createPageFetching({
  web,
  ...deps
}: PageFetchingDeps): Pick<FetchPageDeps, "firecrawl" | "hosts" | "robots" | "timeoutMs"> {
  const { firecrawl, robots, timeoutMs } = web;
  const hosts = createHostTurns(deps);
  return {
    hosts,
    firecrawl: firecrawl && createPatientFirecrawl(createFirecrawl(firecrawl, deps), deps),
    robots: robots ? createRobots({ ...deps, hosts }) : undefined,
    timeoutMs,
  };
}
