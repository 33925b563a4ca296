/** A key that does not show itself unless it is asked to. */
export interface Key {
  reveal(): string;
}

/** How long one request may take, body included, in milliseconds; what suits the provider where nothing is said. */
export interface Timeout {
  timeoutMs?: number | undefined;
}

/** Which providers can be reached, and how. Base URLs have no slash at their end and may be private. */
export interface SearchSettings {
  tavily: { apiKey: Key | undefined; baseUrl: string } & Timeout;
  searxng: { baseUrl: string | undefined } & Timeout;
  perplexity: { apiKey: Key | undefined; baseUrl: string } & Timeout;
  arxiv: { baseUrl: string } & Timeout;
  /** The base URL may hold `{language}`; without a language the guideline's own is taken. */
  wikipedia: { baseUrl: string; language: string | undefined } & Timeout;
}
