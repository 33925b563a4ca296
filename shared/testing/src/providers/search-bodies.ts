/** A page that a fake search finds. */
export interface FakePage {
  url: string;
  title: string;
  text: string;
  published?: string;
}

/** As `POST /search` of Tavily answers. */
export function tavilyBody(query: string, pages: readonly FakePage[]): object {
  return {
    query,
    follow_up_questions: null,
    answer: null,
    images: [],
    results: pages.map(({ url, title, text, published }, at) => ({
      url,
      title,
      content: text,
      score: 0.9 - at / 100,
      raw_content: null,
      ...(published === undefined ? {} : { published_date: published }),
    })),
    response_time: 1.09,
    request_id: "123e4567-e89b-12d3-a456-426614174111",
  };
}

/** As `GET /search?format=json` of SearXNG answers. */
export function searxngBody(
  query: string,
  pages: readonly FakePage[],
  unresponsive: readonly [engine: string, reason: string][] = [],
): object {
  return {
    query,
    number_of_results: 0,
    results: pages.map(({ url, title, text, published }, at) => ({
      url,
      title,
      content: text,
      publishedDate: published ?? null,
      thumbnail: "",
      engine: "brave",
      template: "default.html",
      parsed_url: ["https", "", "", "", "", ""],
      engines: ["brave"],
      positions: [at + 1],
      score: 1 / (at + 1),
      category: "general",
    })),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: unresponsive,
  };
}

/** As `POST /chat/completions` of Perplexity answers: `[n]` in the answer is the n-th page. */
export function perplexityBody(answer: string, pages: readonly FakePage[], finish = "stop"): object {
  return {
    id: "3c90c3cc-0d44-4b50-8888-8dd25736052a",
    model: "sonar-pro",
    created: 1_790_000_000,
    object: "chat.completion",
    usage: {
      prompt_tokens: 30,
      completion_tokens: 200,
      total_tokens: 230,
      search_context_size: "low",
      cost: { total_cost: 0.009 },
    },
    citations: pages.map(({ url }) => url),
    search_results: pages.map(({ url, title, text, published }) => ({
      title,
      url,
      date: published ?? null,
      last_updated: null,
      ...(text === "" ? {} : { snippet: text }),
      source: "web",
    })),
    choices: [{ index: 0, finish_reason: finish, message: { role: "assistant", content: answer } }],
  };
}

/** As `GET /api/query` of arXiv answers. */
export function arxivFeed(pages: readonly FakePage[]): string {
  const entries = pages.map(
    ({ url, title, text, published = "2024-05-06T17:00:00Z" }) => `  <entry>
    <id>${xml(url)}</id>
    <title>${xml(title)}</title>
    <updated>${published}</updated>
    <link href="${xml(url)}" rel="alternate" type="text/html"/>
    <link href="${xml(url.replace("/abs/", "/pdf/"))}" rel="related" type="application/pdf" title="pdf"/>
    <summary>${xml(text)}</summary>
    <category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>
    <published>${published}</published>
    <arxiv:primary_category term="cs.CL"/>
    <author>
      <name>First Author</name>
    </author>
    <author>
      <name>Second Author</name>
    </author>
  </entry>`,
  );
  return `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/cHxbiOdZaP56ODnBPIenZhzg5f8</id>
  <title>arXiv Query: search_query=all:x&amp;id_list=&amp;start=0&amp;max_results=${pages.length}</title>
  <updated>2026-03-01T00:00:00-05:00</updated>
  <opensearch:itemsPerPage>${pages.length}</opensearch:itemsPerPage>
  <opensearch:totalResults>${pages.length}</opensearch:totalResults>
  <opensearch:startIndex>0</opensearch:startIndex>
${entries.join("\n")}
</feed>
`;
}

/** As `GET /w/api.php?action=query&generator=search&prop=extracts|info` of MediaWiki answers (formatversion 2). */
export function wikipediaBody(pages: readonly FakePage[]): object {
  if (pages.length === 0) return { batchcomplete: true };
  return {
    batchcomplete: true,
    continue: { gsroffset: pages.length, continue: "gsroffset||" },
    query: {
      // By page id, not by rank: that is in `index`.
      pages: pages
        .map(({ url, title, text, published }, at) => ({
          pageid: 9_000 - at,
          ns: 0,
          title,
          index: at + 1,
          extract: text,
          contentmodel: "wikitext",
          pagelanguage: "en",
          touched: published ?? "2026-02-02T02:02:02Z",
          lastrevid: 1_300_000_000 + at,
          fullurl: url,
          editurl: `${url}?action=edit`,
          canonicalurl: url,
        }))
        .reverse(),
    },
  };
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
