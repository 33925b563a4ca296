import { ProofroomError } from "@proofroom/contracts";
import type { ProviderDeps } from "./ask-provider.ts";
import type { ProviderName, SearchProvider } from "./provider.ts";
import { createArxiv } from "./providers/arxiv.ts";
import { createPerplexity } from "./providers/perplexity.ts";
import { createSearxng } from "./providers/searxng.ts";
import { createTavily } from "./providers/tavily.ts";
import { createWikipedia } from "./providers/wikipedia.ts";
import type { SearchSettings } from "./search-settings.ts";
import { createTurns } from "./turns.ts";
import type { Wait } from "./wait.ts";

export interface Providers {
  /**
   * The provider of that name; without a name the first that is configured.
   * @param language tells the language of the run's guideline to a provider that has several
   * @throws ProofroomError not_configured, naming the settings
   */
  open(name: ProviderName | undefined, language: () => Promise<string>): Promise<SearchProvider>;
}

type Maker = (language: () => Promise<string>) => SearchProvider | Promise<SearchProvider>;

/** Those that answer without being named, in this order, with the setting that makes each ready. */
const settingOf = new Map<ProviderName, string>([
  ["tavily", "TAVILY_API_KEY"],
  ["searxng", "SEARXNG_BASE_URL"],
  ["perplexity", "PERPLEXITY_API_KEY"],
]);

/** What arXiv asks of its visitors, in milliseconds: https://info.arxiv.org/help/api/tou.html */
const arxivPauseMs = 3_000;

/** The providers of a process; what must hold for all of its requests (arXiv's pause) is kept here. */
export function createProviders(settings: SearchSettings, deps: ProviderDeps & { wait: Wait }): Providers {
  const { tavily, searxng, perplexity, arxiv, wikipedia } = settings;
  const turns = createTurns({ wait: deps.wait, gapMs: arxivPauseMs });
  const makers: Readonly<Record<ProviderName, Maker | null>> = {
    tavily: given(tavily.apiKey, (apiKey) => createTavily({ ...tavily, apiKey }, deps)),
    searxng: given(searxng.baseUrl, (baseUrl) => createSearxng({ ...searxng, baseUrl }, deps)),
    perplexity: given(perplexity.apiKey, (apiKey) => createPerplexity({ ...perplexity, apiKey }, deps)),
    arxiv: () => createArxiv({ ...arxiv, turns }, deps),
    wikipedia: async (language) =>
      createWikipedia({ ...wikipedia, language: wikipedia.language ?? (await language()) }, deps),
  };
  return {
    async open(name, language) {
      const chosen = name ?? [...settingOf.keys()].find((one) => makers[one] !== null);
      const make = chosen === undefined ? null : makers[chosen];
      if (make === null) throw notConfigured(name);
      return make(language);
    },
  };
}

function given<Setting>(
  setting: Setting | undefined,
  make: (setting: Setting) => SearchProvider,
): Maker | null {
  return setting === undefined ? null : () => make(setting);
}

function notConfigured(name: ProviderName | undefined): ProofroomError {
  const setting = name === undefined ? undefined : settingOf.get(name);
  if (setting !== undefined) {
    return new ProofroomError({
      code: "not_configured",
      message: `Search: this needs ${setting}, which is not set.`,
      remedy: `Set ${setting} and search again, or choose another provider.`,
    });
  }
  return new ProofroomError({
    code: "not_configured",
    message: `Search: this needs one of ${[...settingOf.values()].join(", ")}; none is set.`,
    remedy: "Set one of them and search again, or name arxiv or wikipedia as the provider: they need none.",
  });
}
