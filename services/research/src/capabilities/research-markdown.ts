import type { Failure, Note, Provenance, Source } from "@proofroom/contracts";
import type { CorpusEntry, GatheredCorpus, Gatherer, SourceFacts } from "./corpus-index.ts";

/** The sections of research.md, named as other tools that read the file expect them, and whose sources they hold. */
const sections: readonly { title: string; gatherers: readonly Gatherer[]; none: string }[] = [
  {
    title: "Research Results",
    gatherers: ["run_web_research", "run_perplexity_research"],
    none: "No research results found.",
  },
  {
    title: "Sources Scraped From Research Results",
    gatherers: ["scrape_research_urls"],
    none: "No scraped sources found.",
  },
  { title: "Code Sources", gatherers: ["process_github_urls"], none: "No code sources found." },
  {
    title: "YouTube Video Transcripts",
    gatherers: ["transcribe_youtube_urls"],
    none: "No YouTube video transcripts found.",
  },
  {
    title: "Additional Sources Scraped",
    gatherers: ["scrape_and_clean_other_urls"],
    none: "No additional sources found.",
  },
  { title: "Local Files", gatherers: ["process_local_files"], none: "No local files found." },
];

/**
 * research.md of a corpus: the table of sources, what is not available, and the sources by kind.
 * @param details the entries as `sourceDetails` writes them, by id
 */
export function researchMarkdown(
  corpus: GatheredCorpus,
  factsOf: ReadonlyMap<string, SourceFacts>,
  details: ReadonlyMap<string, string>,
): string {
  const parts = [
    "# Research",
    sourceTable(corpus.entries, factsOf),
    counts(corpus),
    notAvailable(corpus.failures),
    ...notesOn(corpus.notes),
  ];
  for (const { title, gatherers, none } of sections) {
    const entries = corpus.entries.filter(({ gatherer }) => gatherers.includes(gatherer));
    parts.push(`## ${title}`);
    if (entries.length === 0) parts.push(`_${none}_`);
    for (const [query, found] of byQuery(entries)) {
      const folded = found.map(({ id }) => details.get(id) ?? "");
      if (query === undefined) parts.push(...folded);
      else parts.push(`<details><summary>${html(query)}</summary>`, ...folded, "</details>");
    }
  }
  return `${parts.join("\n\n")}\n`;
}

/** The entries by the first query that found each; what no query found is by itself. */
function byQuery(entries: readonly CorpusEntry[]): Map<string | undefined, CorpusEntry[]> {
  const groups = new Map<string | undefined, CorpusEntry[]>();
  for (const entry of entries) {
    const query = entry.source.queries?.[0];
    groups.set(query, [...(groups.get(query) ?? []), entry]);
  }
  return groups;
}

/**
 * One source of research.md, folded. Its text stands in a block quote: nothing in it, neither a heading nor an open
 * fence, reaches beyond; and tags that could close the fold or hide what follows are shown, not obeyed.
 * @param keepText false leaves the text out and says where it is
 */
export function sourceDetails(entry: CorpusEntry, source: Source, keepText: boolean): string {
  const { provenance } = source;
  const facts = [
    `Source: ${inline(entry.ref)}`,
    ...entry.alsoAt.map((ref) => `Also at: ${inline(ref)}`),
    ...(provenance.provider === undefined
      ? []
      : [`${source.kind === "video" ? "Transcribed" : "Found"} by: ${inline(provenance.provider)}`]),
    ...(provenance.queries ?? []).map((query) => `Query: ${inline(query)}`),
    ...(provenance.commit === undefined ? [] : [`Commit: ${inline(provenance.commit)}`]),
    ...(provenance.author === undefined ? [] : [`By: ${inline(provenance.author)}`]),
    ...(provenance.publisher === undefined ? [] : [`Publisher: ${inline(provenance.publisher)}`]),
    ...(provenance.published === undefined ? [] : [`Published: ${inline(provenance.published)}`]),
    ...licenceFacts(provenance),
    ...(provenance.cite_as === undefined ? [] : [`To be cited as: ${inline(provenance.cite_as)}`]),
    ...(provenance.from_cache === undefined
      ? []
      : [
          `From the cache${provenance.retrieved_at === undefined ? "" : `; fetched ${provenance.retrieved_at}`}`,
        ]),
    ...(provenance.note === undefined ? [] : [`Note: ${inline(provenance.note)}`]),
    ...provenance.omissions.map((omission) => `Left out: ${inline(omission)}`),
    ...(keepText
      ? []
      : [`The text is too long to be repeated here; it stands in ${inline(entry.source.artifact)}`]),
  ];
  return [
    `<details><summary>${entry.id}: ${html(entry.source.title)}</summary>`,
    facts.map((fact) => `- ${fact}`).join("\n"),
    ...(keepText ? [quoted(source.text)] : []),
    "</details>",
  ].join("\n\n");
}

function licenceFacts({ licence, licence_url: url, copyright }: Provenance): string[] {
  const stated = [licence, url === licence ? undefined : url].filter((part) => part !== undefined);
  return [
    ...(stated.length === 0 ? [] : [`Licence: ${stated.map(inline).join(", ")}`]),
    ...(copyright === undefined ? [] : [`Copyright: ${inline(copyright)}`]),
  ];
}

function sourceTable(entries: readonly CorpusEntry[], factsOf: ReadonlyMap<string, SourceFacts>): string {
  const rows = entries.map(
    ({ id, ref, source }) =>
      `| ${id} | ${source.kind} | ${inline(source.title)} | ${inline(ref)} | ${factsOf.get(id)?.words ?? 0} |`,
  );
  return ["| id | kind | title | ref | words |", "| --- | --- | --- | --- | --- |", ...rows].join("\n");
}

/** What became of everything that was asked for or found: the parts are as many as the whole. */
function counts({ entries, failures }: GatheredCorpus): string {
  const same = entries.reduce((sum, { alsoAt }) => sum + alsoAt.length, 0);
  const cached = entries.filter(({ source }) => source.from_cache === true).length;
  const parts = [
    `${entries.length} read${cached === 0 ? "" : ` (${cached} from the cache)`}`,
    ...(same === 0 ? [] : [`${same} the same as others`]),
    `${failures.length} not available`,
  ];
  const all = entries.length + same + failures.length;
  return `References: ${all}, of them ${parts.join(", ")}.`;
}

function notesOn(notes: readonly Note[]): string[] {
  if (notes.length === 0) return [];
  const items = notes.map(({ ref, message, remedy }) => `- ${inline(ref)}: ${advised(message, remedy)}`);
  return [`## Notes\n\n${items.join("\n")}`];
}

function advised(message: string, remedy: string | undefined): string {
  return [message, ...(remedy === undefined ? [] : [remedy])].map(inline).join(" ");
}

function notAvailable(failures: readonly Failure[]): string {
  if (failures.length === 0) return "## Not available\n\n_Everything that was asked for could be read._";
  const items = failures.map(({ ref, kind, code, message, remedy }) => {
    return `- \`${code}\`: ${inline(ref)} (${kind}). ${advised(message, remedy)}`;
  });
  return `## Not available\n\nThe following could not be read. Nothing here is evidence.\n\n${items.join("\n")}`;
}

/** Foreign words on one line of Markdown, a table cell included: white space folded, markup escaped. */
function inline(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .replace(/[\\`*[\]|~&]/g, (mark) => `\\${mark}`)
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function html(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** Elements that would close the fold, or swallow what follows them. */
const reaching =
  /<(?=\/?(?:details|summary|blockquote|script|style|textarea|title|xmp|plaintext|iframe|noembed|noframes|noscript|template|select|svg|math)\b|!--|!\[CDATA\[|\?)/gi;

function quoted(text: string): string {
  return text
    .trim()
    .replace(reaching, "&lt;")
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => (line.trim() === "" ? ">" : `> ${line}`))
    .join("\n");
}
