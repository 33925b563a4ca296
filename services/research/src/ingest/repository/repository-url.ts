import { ProofroomError } from "@proofroom/contracts";
import { gistParts, isGistHost } from "./gist-url.ts";
import { codeBehind, isCodePage } from "./page-path.ts";

/** What a reference to a repository asks for. */
export interface RepositoryAddress {
  /** What git fetches from; http or https, without credentials, query and fragment. */
  url: URL;
  /** As people write it: `owner/repository`; of a gist its id. */
  name: string;
  isGist: boolean;
  /**
   * Revision and path below it, one after the other: which part is the revision only the repository knows. It begins
   * with `refs`, `heads` or `refs`, `tags` where the address says which of both is meant.
   */
  rest: string[];
}

/**
 * Reads a reference to a git repository: any https URL, the pages of a repository, folder, file, commit or tag on
 * GitHub, GitLab, Bitbucket and Gitea, raw files and gists.
 * @throws ProofroomError invalid_input: also for what is no code of a repository, and for what cannot be fetched by https
 */
export function parseRepositoryUrl(ref: string): RepositoryAddress {
  const url = webAddress(ref.trim());
  if (url.username !== "" || url.password !== "") throw invalid("The address holds credentials.");
  const segments = segmentsOf(url);
  const { repository, rest } = split(url, segments);
  if (repository.length === 0) throw invalid("The address names no repository.");
  const clean = new URL(url.origin);
  clean.hostname = hostOfGit(url.hostname);
  clean.pathname = repository.map(encodeURIComponent).join("/");
  return {
    url: clean,
    name: repository.join("/").replace(/\.git$/, ""),
    isGist: isGistHost(clean.hostname),
    rest,
  };
}

function webAddress(ref: string): URL {
  const refused = refusedTransport(ref);
  if (refused !== null) throw refused;
  const url = URL.parse(ref.replace(/^git\+(?=https?:)/, ""));
  if (url === null) throw invalid("The address is not a URL.");
  if (url.protocol === "https:" || url.protocol === "http:") return url;
  throw invalid("Only https addresses of git repositories are fetched.");
}

/** The error of an address of ssh or git, which names the https address; null for any other. */
export function refusedTransport(ref: string): ProofroomError | null {
  const short = /^[\w.-]+@([\w.-]+):(?!\/\/)(.+)$/.exec(ref);
  if (short !== null) return overSsh(short[1] ?? "", short[2] ?? "");
  const url = URL.parse(ref);
  const isOther = url !== null && /^(?:git\+)?(?:ssh|git):$/.test(url.protocol);
  return isOther ? overSsh(url.hostname, url.pathname) : null;
}

/** There is no key to log in with, and a connection by git alone is not encrypted. */
function overSsh(host: string, path: string): ProofroomError {
  const name = path.replace(/^\/+/, "");
  const isPlain = /^[\w.-]+$/.test(host) && /^[\w./~-]+$/.test(name);
  return invalid(
    "Repositories are fetched by https, not by ssh or git.",
    isPlain ? `Give its https address: https://${host}/${name}` : undefined,
  );
}

function segmentsOf(url: URL): string[] {
  const segments = url.pathname
    .split("/")
    .filter((segment) => segment !== "")
    // A slash in the name of a branch may be written as %2F.
    .flatMap((segment) => decoded(segment).split("/"));
  if (segments.some((segment) => /^\.{0,2}$|[\\\p{Cc}]/u.test(segment))) {
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

/** Hosts whose repositories have exactly an owner and a name; what follows belongs to the site. */
const ownedByTwo = new Set(["github.com", "bitbucket.org", "codeberg.org"]);

function split(url: URL, segments: string[]): { repository: string[]; rest: string[] } {
  const host = withoutWww(url.hostname);
  if (isGistHost(host)) return gistParts(segments);
  if (host === "raw.githubusercontent.com") {
    return { repository: segments.slice(0, 2), rest: segments.slice(2) };
  }
  const at = (length: number, behind = length) => ({
    repository: segments.slice(0, length),
    rest: codeBehind(segments.slice(behind), { host, kindOfRef: url.searchParams.get("ref_type") }),
  });
  if (ownedByTwo.has(host)) return at(2);
  // Whichever comes first: both may stand in a path of the repository too.
  const end = segments.findIndex(
    (segment, index) => /.\.git$/.test(segment) || (index >= 2 && segment === "-"),
  );
  if (end !== -1 && segments[end] === "-") return at(end, end + 1);
  if (end !== -1) return at(end + 1, segments[end + 1] === "-" ? end + 2 : end + 1);
  // A project of a subgroup may be called `src`: of a page more than its kind is needed.
  if (segments.length > 3 && isCodePage(segments[2] ?? "", host)) return at(2);
  return { repository: segments, rest: [] };
}

/** Pages of raw files lie on a host of their own. */
function hostOfGit(hostname: string): string {
  const host = withoutWww(hostname);
  if (host === "raw.githubusercontent.com") return "github.com";
  if (isGistHost(host)) return "gist.github.com";
  return ownedByTwo.has(host) || host === "gitlab.com" ? host : hostname;
}

function withoutWww(hostname: string): string {
  return hostname.replace(/^www\./, "");
}

export function invalid(
  message: string,
  remedy = "Give the https address of a repository, or of a branch, tag, commit, folder or file in it.",
): ProofroomError {
  return new ProofroomError({ code: "invalid_input", message, remedy });
}
