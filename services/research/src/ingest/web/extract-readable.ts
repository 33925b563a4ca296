import { ProofroomError } from "@proofroom/contracts";
import { type ParsePool, parserHeapMb } from "../parsing/parse-pool.ts";
import type { NotContent } from "./not-content.ts";
import type { PageSource, ReadablePage, work } from "./readable-page.ts";

const largestHtml = 16 * 1024 * 1024;

/**
 * The readable part of a web page as Markdown: absolute links, code with its language, tables. It is parsed in
 * a child that ends with the signal, after 30 seconds, or beyond 1.5 GB of memory.
 * @throws ProofroomError unreachable (bot check, login wall), not_found (a "not found" page sent as a page),
 *   no_evidence (under 200 characters of text), too_large (over 16 million characters, nested too deeply, too many
 *   parts, too much memory), timeout, invalid_input; or the signal's reason. None of them is worth a retry.
 */
export async function extractReadable(
  source: PageSource & { signal: AbortSignal; parsing: ParsePool },
): Promise<ReadablePage> {
  const { html, url, signal, parsing } = source;
  if (html.length > largestHtml) {
    throw new ProofroomError({ code: "too_large", message: "The page is larger than 16 MB." });
  }
  const result = await parsing.run<ReturnType<typeof work>>(
    new URL("./readable-page.ts", import.meta.url),
    { html, url },
    { signal, timeoutMs: 30_000, maxOldSpaceMb: parserHeapMb },
  );
  if ("problem" in result) throw noContent(result.problem);
  return result.page;
}

/** The error of a page that is no content. */
export function noContent(problem: NotContent): ProofroomError {
  return problems[problem]();
}

const asFile = "Open the page in a browser and give its text as a local file.";

const problems: Readonly<Record<NotContent, () => ProofroomError>> = {
  challenge: () =>
    refused("unreachable", "The site answered with a check for robots instead of the page.", asFile),
  login: () => refused("unreachable", "The site asks for a login before it shows the page.", asFile),
  missing: () => refused("not_found", "The site answered that there is no such page.", "Check the address."),
  script_only: () =>
    refused("no_evidence", "The page shows its text only to browsers that run scripts.", asFile),
  data: () => refused("no_evidence", "The page is data for programs, not text to read.", asFile),
  empty: () => refused("no_evidence", "The page has less than 200 characters of readable text.", asFile),
};

function refused(code: "unreachable" | "not_found" | "no_evidence", message: string, remedy: string) {
  return new ProofroomError({ code, message, remedy, disposition: { kind: "fail" } });
}
