import {
  type FakePage,
  geminiBody,
  type ProviderRequest,
  perplexityBody,
  type ScriptedAnswer,
  searxngBody,
  startFakeProvider,
  tavilyBody,
} from "@proofroom/testing";
import type { ModelStage, SearchStage } from "./failures.ts";
import { askedIn, goodAnswer } from "./good-model.ts";

/** What fails in one case, until it is mended. */
export interface FailureCase {
  stage: ModelStage | SearchStage;
  answer(): ScriptedAnswer;
  /** Whether it shows only once the time for a call is over. */
  isSlow?: boolean;
}

/** All providers of one case. */
interface CaseProvider {
  /** Below this: `/gemini`, `/spare` (a second one like it, which never fails), `/tavily`, `/searxng`, `/perplexity`, `/page`. */
  readonly base: string;
  /** Stages at which something was asked, and how often it was answered by the failure. */
  readonly reached: ReadonlySet<string>;
  readonly failed: number;
  /** From now on nothing fails. */
  mend(): void;
}

interface CaseProviders {
  /** `host:port` */
  readonly host: string;
  /** Search providers below it never fail. */
  readonly base: string;
  add(failure: FailureCase): CaseProvider;
  close(): Promise<void>;
}

const found: readonly FakePage[] = [
  {
    url: "https://logs.example.org/archive",
    title: "The archive",
    text: "Logs of a lighthouse are kept for thirty years in the archive of the coast. After thirty years a log is burnt.",
  },
];

const page = `<!doctype html><html lang="en"><head><title>The harbour office</title></head><body><main><h1>The harbour office</h1>
<p>The harbour office compares every lighthouse log with the tide log at the end of the month. A difference between the two logs is written into a third book, together with the name of the keeper.</p>
<p>The third book is read aloud once a year in the harbour office. Every keeper of the coast may come and explain a difference before the book is closed for the year.</p>
</main></body></html>`;

const searches: Readonly<Record<SearchStage, object>> = {
  tavily: tavilyBody("q", found),
  searxng: searxngBody("q", found),
  perplexity: perplexityBody("Logs of a lighthouse are kept for thirty years in the archive [1].", found),
};

/** The first part of the path of the search providers that fail in no case. */
const shared = "shared";

function searchAnswer(provider: string): ScriptedAnswer | undefined {
  return Object.hasOwn(searches, provider) ? { body: searches[provider as SearchStage] } : undefined;
}

interface Case extends FailureCase {
  reached: Set<string>;
  failed: number;
  isMended: boolean;
}

/** One server for the providers of many cases, told apart by the beginning of the path. */
export async function startCaseProviders(): Promise<CaseProviders> {
  const cases: Case[] = [];

  function answer(request: ProviderRequest): ScriptedAnswer | undefined {
    const [, at = "", provider = ""] = request.path.split("/");
    if (at === shared) return searchAnswer(provider);
    const known = cases[Number(at)];
    if (known === undefined) return undefined;
    if (provider === "page") return { headers: { "content-type": "text/html" }, body: page };
    const isModel = provider === "gemini" || provider === "spare";
    const asked = isModel ? askedIn(request) : null;
    const stage = asked?.stage ?? provider;
    known.reached.add(stage);
    if (stage === known.stage && provider !== "spare" && !known.isMended) {
      known.failed += 1;
      return known.answer();
    }
    if (asked !== null)
      return { body: geminiBody(goodAnswer(asked), { inputTokens: 1_000, outputTokens: 200 }) };
    return searchAnswer(provider);
  }

  const fake = await startFakeProvider(answer);
  return {
    host: new URL(fake.base).host,
    base: `${fake.base}/${shared}`,
    add(failure) {
      const own: Case = { ...failure, reached: new Set(), failed: 0, isMended: false };
      const base = `${fake.base}/${cases.push(own) - 1}`;
      return {
        base,
        reached: own.reached,
        get failed() {
          return own.failed;
        },
        mend() {
          own.isMended = true;
        },
      };
    },
    close: () => fake.close(),
  };
}
