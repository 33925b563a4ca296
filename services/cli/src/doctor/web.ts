import type { CommandContext } from "../commands/context.ts";
import { type Finding, withDefaultFinding } from "./finding.ts";
import { isReached } from "./reach.ts";
import { shownValues } from "./values.ts";

const withDefault = [
  "FIRECRAWL_TIMEOUT",
  "PROOFROOM_FETCH_TIMEOUT",
  "PROOFROOM_ROBOTS",
  "PROOFROOM_SITE_PAGES",
  "PROOFROOM_CHROMIUM",
] as const;

/** How web pages are fetched: what is set of it, the browser that is there, and with `online` whether Firecrawl is reached and takes the key. */
export async function webFindings(context: CommandContext, online: boolean): Promise<Finding[]> {
  const { given, web } = context.settings;
  const values = shownValues(context.settings);
  const findings: Finding[] = ["FIRECRAWL_API_KEY", "FIRECRAWL_API_URL"].map((name) =>
    given.has(name)
      ? { name, state: "ok", what: "set" }
      : { name, state: "optional", what: "not set; it has pages fetched through Firecrawl" },
  );
  for (const name of withDefault) {
    findings.push(withDefaultFinding(name, given, values.get(name)));
  }
  findings.push(await chromium(context));
  if (!online || web.firecrawl === undefined) return findings;
  const { apiKey, baseUrl } = web.firecrawl;
  const place = { api: apiKey === undefined ? null : ("firecrawl" as const), key: apiKey?.reveal(), baseUrl };
  return [...findings, { name: "firecrawl (online)", ...(await isReached(place, context.signal)) }];
}

async function chromium({ settings }: CommandContext): Promise<Finding> {
  const { findChromium, hasChromiumSandbox } = await import("@proofroom/research");
  const name = "Chromium";
  const found = await findChromium(settings.web.chromium);
  if (found === null) {
    const what = "not found: pages that need JavaScript cannot be read";
    return { name, state: "optional", what, fix: "Install Chromium, or name one in PROOFROOM_CHROMIUM." };
  }
  if (hasChromiumSandbox()) return { name, state: "ok", what: found };
  const what = `${found}, without its own sandbox, which root cannot use`;
  return { name, state: "optional", what, fix: "Run Proofroom as another user than root." };
}
