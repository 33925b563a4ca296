import type { ModelEntry } from "./models-file.ts";
import { type Expectation, type Flawed, schemaOf } from "./read-answer.ts";
import { type ModelRequest, tokensOf } from "./request.ts";

interface Put<T> {
  request: Omit<ModelRequest, "schema">;
  expected: Expectation<T>;
}

/** Puts a schema into words for a model that does not keep to one by itself. */
function inWords(request: ModelRequest): ModelRequest {
  if (request.schema === undefined) return request;
  const text = `Answer with one JSON value and nothing else. It must keep to this JSON Schema:\n${JSON.stringify(request.schema)}`;
  return { ...request, parts: [...request.parts, { kind: "text", text }] };
}

/**
 * A question as each model is asked it; null for one that cannot do it. A model gets the same object each time: it is made,
 * and reckoned, once.
 */
export function putQuestion<T>({ request, expected }: Put<T>): (entry: ModelEntry) => ModelRequest | null {
  const schema = schemaOf(expected);
  const known = new Map<string, ModelRequest | null>();

  function requestFor(entry: ModelEntry): ModelRequest | null {
    const whole: ModelRequest = {
      ...request,
      ...(schema === undefined ? {} : { schema }),
      maxTokens: Math.min(request.maxTokens, entry.output),
    };
    const asked = entry.structured ? whole : inWords(whole);
    if (!entry.video && asked.parts.some(({ kind }) => kind === "video")) return null;
    return tokensOf(asked) + asked.maxTokens > entry.context ? null : asked;
  }

  return (entry) => {
    const found = known.get(entry.name);
    if (found !== undefined) return found;
    const asked = requestFor(entry);
    known.set(entry.name, asked);
    return asked;
  };
}

/** The question once more, for a model whose answer was of no use. */
export function askedAgain(
  request: ModelRequest,
  { flaw, hint }: Flawed,
  entry: Pick<ModelEntry, "output">,
): ModelRequest {
  const text = `Your last answer could not be used. ${hint} Answer the whole question again.`;
  const maxTokens = flaw === "truncated" ? Math.min(request.maxTokens * 2, entry.output) : request.maxTokens;
  return { ...request, maxTokens, parts: [...request.parts, { kind: "text", text }] };
}
