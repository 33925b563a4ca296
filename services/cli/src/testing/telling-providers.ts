import {
  type FakeProvider,
  type FirecrawlPage,
  fakeFirecrawl,
  firecrawlError,
  geminiBody,
  geminiError,
  openAiBody,
  openAiError,
  perplexityBody,
  type Script,
  type ScriptedAnswer,
  startFakeProvider,
  tavilyBody,
} from "@proofroom/testing";
import { canaryOf, repeated } from "./canaries.ts";
import { askedIn, goodAnswer, type Stage } from "./good-model.ts";

type MadeFor = (key: string) => Script;

function broken(status: number): ScriptedAnswer {
  return { status, body: { error: "it" } };
}

/** An answer that fails, and tells all that was sent: the key, and every header. */
function telling(answer: ScriptedAnswer, key: string): Script {
  return ({ headers }) => ({
    ...answer,
    headers: { ...answer.headers, "x-told": repeated(key) },
    body: JSON.stringify(answer.body ?? {}).replace(
      /"(message|error)":"[^"]*"/,
      (_all, name: string) => `"${name}":${JSON.stringify(`${repeated(key)} ${JSON.stringify(headers)}`)}`,
    ),
  });
}

/** Fails so many times at each kind of request, each time otherwise, and then does as it should. */
function failingFirst(
  times: (kind: string) => number,
  kindOf: (request: Parameters<Script>[0]) => string,
  failures: readonly Script[],
  good: Script,
): Script {
  const asked = new Map<string, number>();
  let failed = 0;
  return (request) => {
    const kind = kindOf(request);
    const before = asked.get(kind) ?? 0;
    asked.set(kind, before + 1);
    if (before >= times(kind)) return good(request);
    failed += 1;
    return failures[failed % failures.length]?.(request);
  };
}

/** What a model answers that behaves, but for repeating its key wherever it may say something. */
function answerWith(key: string, request: Parameters<Script>[0]): string {
  const asked = askedIn(request);
  const told = repeated(key);
  const answer = goodAnswer(asked);
  if (asked.stage === "drafter") return `${answer}\n\nThe lighthouse log is opened by ${told} [S1].`;
  if (asked.stage === "transcriber") return `${answer}[00:55] The next keeper reads ${told} aloud.\n`;
  return answer.replace(/(is recorded|No source says)/, `$1 ${told}`);
}

const stageOf = (request: Parameters<Script>[0]) =>
  request.method === "POST" ? askedIn(request).stage : request.path;

function gemini(key: string): Script {
  const times: Partial<Record<Stage, number>> = { transcriber: 1, planner: 1_000, drafter: 1, repairer: 1 };
  const failures = [400, 503, 400].map((status) => telling(geminiError(status, "it"), key));
  return failingFirst(
    (kind) => times[kind as Stage] ?? 0,
    stageOf,
    failures,
    (request) => ({ body: geminiBody(answerWith(key, request)) }),
  );
}

function openAi(key: string, times: Partial<Record<Stage, number>>): Script {
  const failures = [429, 401, 500].map((status) =>
    telling(openAiError(status, "it", { "retry-after-ms": "0" }), key),
  );
  return failingFirst(
    (kind) => times[kind as Stage] ?? 0,
    stageOf,
    failures,
    (request) => ({ body: openAiBody(answerWith(key, request)) }),
  );
}

function found(key: string) {
  return {
    url: `https://logs.example.org/archive?key=${encodeURIComponent(key)}`,
    title: `The archive of ${repeated(key)}`,
    text: `Logs of a lighthouse are kept for thirty years in the archive of the coast. After thirty years ${repeated(key)} is burnt with the log.`,
  };
}

const asking = ({ method, path }: Parameters<Script>[0]) => `${method} ${path}`;

function tavily(key: string): Script {
  const good = { body: tavilyBody("q", [found(key)]) };
  return failingFirst(
    () => 1,
    asking,
    [telling(broken(500), key)],
    () => good,
  );
}

function perplexity(key: string): Script {
  const good = { body: perplexityBody(`They are kept for ${repeated(key)} years [1].`, [found(key)]) };
  return failingFirst(
    () => 1,
    asking,
    [telling(broken(401), key)],
    () => good,
  );
}

function firecrawl(key: string, page: string): Script {
  const told = repeated(key);
  const sentence = "Lamps of a lighthouse are trimmed before the evening watch of the keeper begins.";
  const document: FirecrawlPage = {
    html: `<html><body><article><h1>Lamps</h1><p>${`${sentence} `.repeat(8)}</p><p>${told}</p></article></body></html>`,
    markdown: `# Lamps\n\n${`${sentence} `.repeat(8)}\n\n${told}\n`,
    title: `Lamps ${told}`,
  };
  return failingFirst(
    () => 1,
    ({ path }) => path,
    [telling(firecrawlError(500, "it"), key)],
    fakeFirecrawl({ [page]: document }),
  );
}

/** Every provider, each at an address of its own, and what it says and is told. */
export interface TellingProviders {
  readonly env: Readonly<Record<string, string>>;
  /** By the setting of the key that it alone may see; those that need none by another name. */
  readonly fakes: ReadonlyMap<string, FakeProvider>;
  /** The address of a page of a site here, which Firecrawl has. */
  readonly page: string;
  close(): Promise<void>;
}

/** Starts providers that fail at first, and that repeat their keys in errors, headers and answers. */
export async function startTellingProviders(): Promise<TellingProviders> {
  const site = await startFakeProvider();
  const page = `${site.base}/lamps`;
  const scripts: readonly (readonly [name: string, address: string, below: string, script: MadeFor])[] = [
    ["GEMINI_API_KEY", "GEMINI_BASE_URL", "", gemini],
    ["GROQ_API_KEY", "GROQ_BASE_URL", "/v1", (key) => openAi(key, { planner: 1, drafter: 1 })],
    ["OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1", (key) => openAi(key, { drafter: 1 })],
    ["TAVILY_API_KEY", "TAVILY_BASE_URL", "", tavily],
    ["PERPLEXITY_API_KEY", "PERPLEXITY_BASE_URL", "", perplexity],
    ["FIRECRAWL_API_KEY", "FIRECRAWL_API_URL", "", (key) => firecrawl(key, page)],
    ["OPIK_API_KEY", "OPIK_URL_OVERRIDE", "/api", (key) => telling(broken(500), key)],
    ["SEARXNG", "SEARXNG_BASE_URL", "", () => () => broken(503)],
    ["arXiv", "ARXIV_BASE_URL", "", () => () => broken(503)],
    ["Wikipedia", "WIKIPEDIA_BASE_URL", "", () => () => broken(503)],
  ];
  const fakes = new Map<string, FakeProvider>([["the site", site]]);
  const env: Record<string, string> = {};
  for (const [name, address, below, script] of scripts) {
    const fake = await startFakeProvider(script(canaryOf(name)));
    fakes.set(name, fake);
    env[address] = `${fake.base}${below}`;
  }
  return {
    env,
    fakes,
    page,
    async close() {
      for (const fake of fakes.values()) await fake.close();
    },
  };
}
