import type { ProviderRequest, Script, ScriptedAnswer } from "@proofroom/testing";
import { geminiBody, openAiBody } from "@proofroom/testing";

/** What a model is asked to be, as its prompt tells. */
export type Stage =
  | "transcriber"
  | "cleaner"
  | "searcher"
  | "selector"
  | "reader"
  | "planner"
  | "drafter"
  | "critic"
  | "repairer"
  | "other";

const beginnings: readonly [string, Stage][] = [
  ["You transcribe a talk", "transcriber"],
  ["You clean the text of a web page", "cleaner"],
  ["You plan the next round of web research", "searcher"],
  ["You choose, among the numbered search results below, those", "selector"],
  ["You choose, among the numbered search results below, the pages", "reader"],
  ["You plan a technical article", "planner"],
  ["You write one section", "drafter"],
  ["You judge a technical article", "critic"],
  ["You repair one block of code", "repairer"],
];

interface Asked {
  stage: Stage;
  text: string;
}

/** What a request of either API asks. */
export function askedIn(request: ProviderRequest): Asked {
  const body = request.json() as {
    systemInstruction?: { parts: { text: string }[] };
    contents?: { parts: { text?: string }[] }[];
    messages?: { role: string; content: string }[];
  };
  const system =
    body.systemInstruction?.parts[0]?.text ??
    body.messages?.find(({ role }) => role === "system")?.content ??
    "";
  const text =
    body.contents?.flatMap(({ parts }) => parts.map((part) => part.text ?? "")).join("\n\n") ??
    body.messages?.find(({ role }) => role === "user")?.content ??
    "";
  const stage = beginnings.find(([beginning]) => system.startsWith(beginning))?.[1] ?? "other";
  return { stage, text };
}

/** What the code of the sources has, and what the model makes of it in its drafts, so that there is something to repair. */
const right = "sum(entries)";
const wrong = 'sum("entries")';

function mistyped(code: string): string {
  return code.replace(right, wrong);
}

/** A section from the sentences it was shown, each with the marker of its source. */
function section(text: string): string {
  const words = Number(/About (\d+) words/.exec(text)?.[1] ?? 100);
  const sentences: string[] = [];
  let code = "";
  for (const [, id = "", evidence = ""] of text.matchAll(
    /<source id="(S\d+)"[^>]*>\n([\s\S]*?)\n<\/source>/g,
  )) {
    let block = "";
    const prose = evidence.replace(/(`{3,})([^\n`]*)\n([\s\S]*?)\n\1/g, (_fence, _marks, language, code) => {
      if (block === "" && /^(?:def|class) |=/m.test(code))
        block = `\`\`\`${language}\n${mistyped(code)}\n\`\`\``;
      return "";
    });
    for (const sentence of prose.match(/[A-Z][^.!?\n]{30,}[.](?=\s|$)/g) ?? [])
      sentences.push(sentence.replace(/\.$/, ` [${id}].`));
    if (code === "" && block !== "") code = `It looks like this in the sources [${id}].\n\n${block}`;
  }
  const points = (/Write the section: ([\s\S]*)/.exec(text)?.[1] ?? "")
    .split("\n")
    .filter((line) => /^- |^\w/.test(line));
  const likeness = (sentence: string, point: string) => {
    const own = point.toLowerCase().match(/[a-z]{4,}/g) ?? [];
    return own.filter((word) => sentence.toLowerCase().includes(word)).length / Math.max(own.length, 1);
  };
  const best = (sentence: string) => Math.max(...points.map((point) => likeness(sentence, point)));
  const chosen: string[] = [];
  let count = 0;
  for (const sentence of sentences.toSorted((a, b) => best(b) - best(a))) {
    if (count >= words || chosen.includes(sentence) || (count > words / 2 && best(sentence) < 0.6)) continue;
    chosen.push(sentence);
    count += sentence.split(" ").length;
  }
  return [chosen.join(" "), /With code\./.test(text) ? code : ""].filter((part) => part !== "").join("\n\n");
}

function judgement(): string {
  return JSON.stringify({ technical_depth: 28, structure_clarity: 19, critiques: [], revisions: [] });
}

function outline(): string {
  const planned = (title: string, point: string, include_code: boolean) => ({
    title,
    key_points: [point],
    target_word_count: 60,
    include_code,
  });
  return JSON.stringify({
    sections: [
      planned("The lighthouse log", "Every observation is recorded", false),
      planned("The tide summary", "The office publishes a summary", true),
    ],
  });
}

/** One gap, and none once it was searched for. */
function nextQueries(text: string): string {
  const question = "How long are the logs of a lighthouse kept?";
  const left = !text.includes(`<asked>\n${question}`);
  const reason = "No source says how long a log is kept.";
  return JSON.stringify(
    left ? { gaps: [reason], queries: [{ question, reason }] } : { gaps: [], queries: [] },
  );
}

const transcript = `Status: ok
Title: A keeper talks
Duration: 01:00

[00:00] A keeper reads the lighthouse log aloud to the next keeper at noon.
[00:25] The keeper then names every correction of the lighthouse log that was made in the night.
[00:50] The next keeper signs below it.
`;

/** What a model that behaves answers. */
export function goodAnswer({ stage, text }: Asked): string {
  if (stage === "transcriber") return transcript;
  if (stage === "cleaner") return JSON.stringify({ drop: [] });
  if (stage === "drafter") return section(text);
  if (stage === "critic") return judgement();
  if (stage === "planner") return outline();
  if (stage === "searcher") return nextQueries(text);
  if (stage === "selector") return JSON.stringify({ source_ids: [1] });
  if (stage === "reader") return JSON.stringify({ source_ids: [] });
  if (stage === "repairer") {
    const code = /<code>\n([\s\S]*)\n<\/code>/.exec(text)?.[1] ?? "";
    return `\`\`\`python\n${code.replace(wrong, right)}\n\`\`\``;
  }
  return "{}";
}

/** A model of Gemini that behaves. */
export const goodGemini: Script = (request) => ({
  body: geminiBody(goodAnswer(askedIn(request)), { inputTokens: 1_000, outputTokens: 200 }),
});

/** The same behind OpenAI's API. */
export const goodOpenAi: Script = (request) => ({ body: openAiBody(goodAnswer(askedIn(request))) });

/** The same, but what it is asked at a stage is answered otherwise, so many times. */
export function failingAt(stage: Stage, failures: readonly ScriptedAnswer[], good: Script): Script {
  const left = [...failures];
  return (request) => (askedIn(request).stage === stage ? left.shift() : undefined) ?? good(request);
}
