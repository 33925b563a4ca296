import { isPublicHost } from "./public-host.ts";

export type UrlClass = "github_urls" | "youtube_videos_urls" | "git_urls" | "other_urls";

export type UrlRejection =
  | "unsupported_scheme"
  | "invalid_url"
  | "credentials_in_url"
  | "private_address"
  | "invalid_video_id";

/** A URL fit for fetching. URLs with equal keys are one source. */
export interface AcceptedUrl {
  readonly class: UrlClass;
  readonly url: string;
  readonly key: string;
}

const GITHUB_HOSTS = new Set(["github.com", "www.github.com"]);
const GITHUB_CONTENT_HOSTS = new Set(["gist.github.com", "raw.githubusercontent.com"]);
const GITHUB_OWNED = /(?:^|\.)(?:github\.com|github\.io|githubusercontent\.com)$/;
const FORGE_HOSTS = new Set(["gitlab.com", "www.gitlab.com", "bitbucket.org", "www.bitbucket.org"]);
const YOUTUBE_HOSTS = new Set([
  "youtube.com",
  "www.youtube.com",
  "m.youtube.com",
  "music.youtube.com",
  "youtube-nocookie.com",
  "www.youtube-nocookie.com",
]);
const YOUTUBE_SHORT_HOSTS = new Set(["youtu.be", "www.youtu.be"]);

// First path segments of github.com that are pages of the site, not owners of repositories.
const GITHUB_PAGES = new Set(
  `about apps collections codespaces contact customer-stories dashboard enterprise events explore features issues join
  login marketplace new notifications organizations orgs pricing pulls readme resources search security settings site
  solutions sponsors stars team topics trending users`.split(/\s+/),
);

/** What may stand behind the name of a repository on a server of one's own where its code is shown (GitLab, Gitea, GitHub). */
const CODE_PAGES = new Set("tree blob raw src blame commit commits".split(" "));
const OTHER_PAGES = new Set(
  `actions activity branches compare discussions edit graphs issues merge_requests milestones packages pipelines projects pull
  pull-requests pulls releases security tags wiki wikis`.split(/\s+/),
);

// Pages of a repository that are its code; all others (issues, releases, ...) are ordinary web pages.
const REPOSITORY_PATH = /^\/([^/]+)\/(?!\.git(?:\/|$))[^/]+(?:\/?|\/(?:blob|tree|raw)\/.+)$/;
const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/;
const RESERVED_VIDEO_IDS = new Set(["videoseries", "live_stream"]);
const VIDEO_TIME = /^(?:\d+|(?=\d)(?:\d+h)?(?:\d+m)?(?:\d+s)?)$/;
const TRACKING_PARAMETER = /^(?:utm_.*|fbclid|gclid)$/i;

const NO_HOSTS: ReadonlySet<string> = new Set();

/**
 * Checks, normalises and classifies an absolute URL.
 *
 * @param reference - the URL as written, with its scheme
 * @param gitHosts - servers of one's own whose addresses name repositories, as a URL has them (`host` or `host:port`)
 */
export function classifyUrl(
  reference: string,
  gitHosts: ReadonlySet<string> = NO_HOSTS,
): AcceptedUrl | UrlRejection {
  if (!/^https?:/i.test(reference)) return "unsupported_scheme";
  const url = URL.parse(reference);
  if (url === null) return "invalid_url";
  if (url.username !== "" || url.password !== "") return "credentials_in_url";
  if (!isPublicHost(url.hostname)) return "private_address";
  const urlClass = isRepositoryOf(url, gitHosts) ? "git_urls" : classOf(url);
  if (urlClass === "youtube_videos_urls") return video(url) ?? "invalid_video_id";
  const normalized = withoutTracking(url.href);
  return { class: urlClass, url: normalized, key: normalized.replace(/#.*$/s, "") };
}

function classOf(url: URL): UrlClass {
  const host = url.hostname;
  if (GITHUB_CONTENT_HOSTS.has(host)) return "github_urls";
  if (GITHUB_HOSTS.has(host)) return isRepositoryPath(url.pathname) ? "github_urls" : "other_urls";
  if (YOUTUBE_HOSTS.has(host) || YOUTUBE_SHORT_HOSTS.has(host)) return "youtube_videos_urls";
  if (FORGE_HOSTS.has(host)) return segmentsOf(url).length >= 2 ? "git_urls" : "other_urls";
  const isClone = url.protocol === "https:" && url.pathname.endsWith(".git") && !GITHUB_OWNED.test(host);
  return isClone ? "git_urls" : "other_urls";
}

/** Whether a URL names a repository, or code in one, on one of the servers given. */
export function isRepositoryOf(url: URL, gitHosts: ReadonlySet<string>): boolean {
  if (url.protocol !== "https:" || !gitHosts.has(url.host)) return false;
  const segments = segmentsOf(url);
  const dash = segments.indexOf("-");
  if (dash !== -1) return dash >= 2 && CODE_PAGES.has(segments[dash + 1] ?? "");
  return segments.length >= 2 && !OTHER_PAGES.has(segments[2] ?? "");
}

function isRepositoryPath(path: string): boolean {
  const owner = REPOSITORY_PATH.exec(path)?.[1];
  return owner !== undefined && !GITHUB_PAGES.has(owner.toLowerCase());
}

function segmentsOf(url: URL): string[] {
  return url.pathname.split("/").filter((segment) => segment !== "");
}

function video(url: URL): AcceptedUrl | null {
  const id = decoded(videoIdOf(url));
  if (id === null || !VIDEO_ID.test(id) || RESERVED_VIDEO_IDS.has(id)) return null;
  const time = url.searchParams.get("t") ?? "";
  const page = `https://www.youtube.com/watch?v=${id}`;
  return { class: "youtube_videos_urls", url: VIDEO_TIME.test(time) ? `${page}&t=${time}` : page, key: page };
}

/** The id as written in a path, percent-encoded, or as given by the query, re-encoded to be alike. */
function videoIdOf(url: URL): string {
  if (YOUTUBE_SHORT_HOSTS.has(url.hostname)) return /^\/([^/]+)\/?$/.exec(url.pathname)?.[1] ?? "";
  if (url.pathname === "/watch") return encodeURIComponent(url.searchParams.get("v") ?? "");
  return /^\/(?:shorts|live|embed)\/([^/]+)\/?$/.exec(url.pathname)?.[1] ?? "";
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Drops tracking parameters; all else stays byte for byte. */
function withoutTracking(href: string): string {
  const [, page = "", query, fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(href) ?? [];
  if (query === undefined) return href;
  const kept = query
    .slice(1)
    .split("&")
    .filter((parameter) => !TRACKING_PARAMETER.test(parameter.split("=", 1)[0] ?? ""))
    .join("&");
  return `${page}${kept === "" ? "" : `?${kept}`}${fragment}`;
}
