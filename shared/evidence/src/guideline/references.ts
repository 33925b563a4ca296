import type { GuidelineReferences } from "@proofroom/contracts";
import { collectCandidates } from "./candidates.ts";
import { linkedPath, localPath, type PathOutcome } from "./local-path.ts";
import { classifyUrl, type UrlClass } from "./source-url.ts";
import { parseGuidelineTree } from "./syntax-tree.ts";

// Links to write to or call somebody are no sources, and no mistakes either.
const CONTACT_SCHEME = /^(?:mailto|tel|sms|xmpp):/i;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]+:/;

interface ReferenceOptions {
  /** Servers of one's own whose addresses name repositories, as a URL has them (`host` or `host:port`). */
  gitHosts?: ReadonlySet<string>;
}

/**
 * Finds the sources that a guideline (Markdown, GitHub flavour) names: links, bare URLs and local files. Reads the text
 * only; whether a source exists or a host name leads to a private address shows when it is fetched. Never throws.
 */
export function parseGuidelineReferences(
  text: string,
  { gitHosts }: ReferenceOptions = {},
): GuidelineReferences {
  const lists: Record<UrlClass | "local_file_paths", Map<string, string>> = {
    github_urls: new Map(),
    youtube_videos_urls: new Map(),
    other_urls: new Map(),
    local_file_paths: new Map(),
    git_urls: new Map(),
  };
  const rejected = new Map<string, GuidelineReferences["rejected"][number]>();
  const add = (list: Map<string, string>, key: string, value: string) => {
    if (!list.has(key)) list.set(key, value);
  };
  const reject = (written: string, reason: GuidelineReferences["rejected"][number]["reason"]) => {
    const ref = withoutUserInfo(written, reason);
    rejected.set(`${reason} ${ref}`, rejected.get(`${reason} ${ref}`) ?? { ref, reason });
  };
  const addPath = (written: string, outcome: PathOutcome) => {
    if ("path" in outcome) add(lists.local_file_paths, outcome.path, outcome.path);
    else reject(written, outcome.rejection);
  };

  for (const candidate of collectCandidates(parseGuidelineTree(text))) {
    if (candidate.kind === "path") {
      addPath(candidate.text, localPath(candidate.text));
      continue;
    }
    const destination = cleanDestination(candidate.text);
    if (/^(?:[#?]|$)/.test(destination) || CONTACT_SCHEME.test(destination)) continue;
    const url = destination.startsWith("//") ? `https:${destination}` : destination;
    if (!SCHEME.test(url)) {
      addPath(candidate.text, linkedPath(destination));
      continue;
    }
    const outcome = classifyUrl(url, gitHosts);
    if (typeof outcome === "string") reject(candidate.text, outcome);
    else add(lists[outcome.class], outcome.key, outcome.url);
  }

  return {
    github_urls: [...lists.github_urls.values()],
    youtube_videos_urls: [...lists.youtube_videos_urls.values()],
    other_urls: [...lists.other_urls.values()],
    local_file_paths: [...lists.local_file_paths.values()],
    git_urls: [...lists.git_urls.values()],
    rejected: [...rejected.values()],
  };
}

/** What the WHATWG URL parser does first: outer control characters and spaces go, tabs and newlines anywhere. */
function cleanDestination(destination: string): string {
  let start = 0;
  let end = destination.length;
  while (start < end && destination.charCodeAt(start) <= 0x20) start += 1;
  while (end > start && destination.charCodeAt(end - 1) <= 0x20) end -= 1;
  return destination.slice(start, end).replace(/[\t\n\r]/g, "");
}

function withoutUserInfo(
  reference: string,
  reason: GuidelineReferences["rejected"][number]["reason"],
): string {
  const hidden = reference.replace(/\/\/[^/?#]*@/, "//***@");
  if (reason !== "credentials_in_url" || hidden !== reference) return hidden;
  // The URL parser takes "https:\user@host" and "https:user@host" for the same.
  return reference.replace(/^([^:]*:[/\\\s]*)[^/\\?#]*@/, "$1***@");
}
