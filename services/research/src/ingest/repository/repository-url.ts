import { ProofroomError } from "@proofroom/contracts";

/** What a reference to a repository asks for. */
interface RepositoryAddress {
  /** What git fetches from; http or https, without credentials, query and fragment. */
  url: URL;
  /** As people write it: `owner/repository`. */
  name: string;
  /** Revision and path below it, one after the other: which part is the revision only the repository knows. */
  rest: string[];
}

/**
 * Reads a reference to a git repository: any https URL, the pages of a repository, folder, file, commit or tag on
 * GitHub, GitLab, Bitbucket and Gitea, raw files, gists, and the addresses of ssh and git, which are fetched by https.
 * @throws ProofroomError invalid_input
 */
export function parseRepositoryUrl(ref: string): RepositoryAddress {
  const url = asHttps(ref.trim());
  if (url.username !== "" || url.password !== "") throw invalid("The address holds credentials.");
  const segments = segmentsOf(url);
  const { repository, rest } = split(url, segments);
  if (repository.length === 0) throw invalid("The address names no repository.");
  const clean = new URL(url.origin);
  clean.pathname = repository.map(encodeURIComponent).join("/");
  return { url: hostOfGit(clean, url), name: repository.join("/").replace(/\.git$/, ""), rest };
}

function asHttps(ref: string): URL {
  const short = /^(?:[\w.-]+@)([\w.-]+):(?!\d+\/)(?!\/\/)(.+)$/.exec(ref);
  const text = short === null ? ref.replace(/^git\+/, "") : `https://${short[1]}/${short[2]}`;
  const url = URL.parse(text);
  if (url === null) throw invalid("The address is not a URL.");
  if (url.protocol === "https:" || url.protocol === "http:") return url;
  if (url.protocol === "ssh:" || url.protocol === "git:") {
    return new URL(`https://${url.hostname}${url.pathname}`);
  }
  throw invalid("Only https addresses of git repositories are fetched.");
}

function segmentsOf(url: URL): string[] {
  const segments = url.pathname
    .split("/")
    .filter((segment) => segment !== "")
    .map(decoded);
  if (segments.some((segment) => segment === "." || segment === ".." || /[/\\\p{Cc}]/u.test(segment))) {
    throw invalid("The path of the address is not valid.");
  }
  return segments;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid("The path of the address is not valid.");
  }
}

function split(url: URL, segments: string[]): { repository: string[]; rest: string[] } {
  const host = url.hostname.replace(/^www\./, "");
  if (host === "gist.github.com" || host === "gist.githubusercontent.com") return splitGist(segments);
  if (host === "raw.githubusercontent.com") {
    return { repository: segments.slice(0, 2), rest: withoutRefs(segments.slice(2)) };
  }
  const dash = segments.indexOf("-");
  if (dash >= 2) return { repository: segments.slice(0, dash), rest: pageRest(segments.slice(dash + 1)) };
  const git = segments.findIndex((segment) => segment.endsWith(".git") && segment !== ".git");
  if (git !== -1) return { repository: segments.slice(0, git + 1), rest: pageRest(segments.slice(git + 1)) };
  if (pageKinds.has(segments[2] ?? "") || ownedByTwo.has(host)) {
    return { repository: segments.slice(0, 2), rest: pageRest(segments.slice(2)) };
  }
  return { repository: segments, rest: [] };
}

/** Hosts whose repositories have exactly an owner and a name; what follows belongs to the site. */
const ownedByTwo = new Set(["github.com", "bitbucket.org", "codeberg.org"]);

/** What stands before a revision in the address of a page. */
const pageKinds = new Set(["tree", "blob", "raw", "blame", "edit", "commit", "commits", "src", "releases"]);

function pageRest([kind = "", ...rest]: string[]): string[] {
  if (!pageKinds.has(kind)) return [];
  if (kind === "releases") return rest[0] === "tag" ? rest.slice(1) : [];
  // Gitea names what kind of revision follows.
  const named = kind === "src" || kind === "raw";
  return withoutRefs(named && /^(?:branch|tag|commit)$/.test(rest[0] ?? "") ? rest.slice(1) : rest);
}

function withoutRefs(rest: string[]): string[] {
  return rest[0] === "refs" && (rest[1] === "heads" || rest[1] === "tags") ? rest.slice(2) : rest;
}

/** `/USER/ID`, `/ID`, `/USER/ID/REVISION`, `/USER/ID/raw/REVISION/FILE`. */
function splitGist(segments: string[]): { repository: string[]; rest: string[] } {
  const at = segments.findIndex((segment) => /^[0-9a-f]{20,32}(?:\.git)?$/.test(segment));
  const after = segments.slice(at + 1).filter((segment, index) => index > 0 || segment !== "raw");
  const isRevision = /^[0-9a-f]{40}$/.test(after[0] ?? "");
  return { repository: at === -1 ? [] : [segments[at] ?? ""], rest: isRevision ? after : [] };
}

/** Pages of raw files lie on a host of their own. */
function hostOfGit(clean: URL, original: URL): URL {
  const host = original.hostname.replace(/^www\./, "");
  const known: Readonly<Record<string, string>> = {
    "raw.githubusercontent.com": "github.com",
    "gist.githubusercontent.com": "gist.github.com",
  };
  clean.hostname = known[host] ?? (ownedByTwo.has(host) ? host : original.hostname);
  return clean;
}

export function invalid(message: string): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message,
    remedy: "Give the https address of a public repository, or of a folder or file in it.",
  });
}
