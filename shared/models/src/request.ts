/** A piece of a question: text, or a stretch of a video that the provider fetches itself. */
export type Part =
  | { kind: "text"; text: string }
  | {
      kind: "video";
      url: string;
      /** The stretch, in seconds from the beginning; the whole video where nothing is said. */
      from?: number;
      to?: number;
      /** How long the stretch is, in seconds: what its tokens are reckoned by. */
      seconds: number;
    };

/** One question to a model. */
export interface ModelRequest {
  system?: string;
  parts: readonly Part[];
  /** JSON Schema that the answer must keep to; without it the answer is text. */
  schema?: Readonly<Record<string, unknown>>;
  /** The longest answer, in tokens. */
  maxTokens: number;
}

export interface Usage {
  inputTokens: number;
  /** What was thought included: it is billed as output. */
  outputTokens: number;
}

/** What came back over the wire, before anybody looked at it. */
export interface ModelReply {
  text: string;
  /** `length`: it was cut off at the limit. `blocked`: the provider refused to answer. `open`: it never ended. */
  finish: "stop" | "length" | "blocked" | "open";
  usage: Usage;
}

/** Characters of text that a token stands for, about; and tokens of a second of video at low resolution. */
const charactersPerToken = 4;
const tokensPerSecond = 100;

/** The most tokens that are believed of one call. */
const mostTokens = 1e9;

/** A count of tokens as a provider tells it: a whole number, whatever stood there; 0 where it says nothing of use. */
export function countOf(told: unknown): number {
  if (typeof told !== "number" || !(told > 0)) return 0;
  return Math.min(Math.ceil(told), mostTokens);
}

/** About how many tokens a text has. A character beyond ASCII is often a token of its own. */
function tokensIn(text: string): number {
  const isPlain = Buffer.byteLength(text) === text.length;
  const wide = isPlain ? 0 : text.replace(/[\0-\x7f]+/g, "").length;
  return Math.ceil((text.length - wide) / charactersPerToken + wide);
}

/** About how many tokens a question has: what is reserved before the provider has counted them. */
export function tokensOf(request: ModelRequest): number {
  let tokens = tokensIn(request.system ?? "") + tokensIn(JSON.stringify(request.schema ?? ""));
  for (const part of request.parts) {
    tokens += part.kind === "text" ? tokensIn(part.text) : Math.ceil(part.seconds * tokensPerSecond);
  }
  return tokens;
}

/** What an answer took: as the provider counted it, else about. */
export function usageOf(request: ModelRequest, { usage, text }: ModelReply): Usage {
  return {
    inputTokens: usage.inputTokens || tokensOf(request),
    outputTokens: usage.outputTokens || tokensIn(text),
  };
}
