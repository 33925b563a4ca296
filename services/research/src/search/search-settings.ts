/** A key that does not show itself unless it is asked to. */
export interface Key {
  reveal(): string;
}

/** Which providers can be reached, and how. Base URLs have no slash at their end and may be private. */
export interface SearchSettings {
  tavily: { apiKey: Key | undefined; baseUrl: string };
  searxng: { baseUrl: string | undefined };
  perplexity: { apiKey: Key | undefined; baseUrl: string };
  arxiv: { baseUrl: string };
  /** The base URL may hold `{language}`; without a language the guideline's own is taken. */
  wikipedia: { baseUrl: string; language: string | undefined };
}
