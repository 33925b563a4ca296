import { ProofroomError } from "@proofroom/contracts";

/** What stands before a revision in the address of a page, on most sites. */
const codePages = new Set(["tree", "blob", "raw", "blame", "edit", "commit", "commits"]);

const proposals = new Set(["pull", "pulls", "merge_requests", "pull-requests"]);

/** Sites that do not name what kind of revision follows, as those of Gitea do. */
const unnamed = new Set(["github.com", "gitlab.com", "bitbucket.org"]);

interface Page {
  /** Of the site. */
  host: string;
  /** What GitLab says of a name that is both a branch and a tag. */
  kindOfRef: string | null;
}

export function isCodePage(kind: string, host: string): boolean {
  return codePages.has(kind) || (kind === "src" && host !== "gitlab.com");
}

/**
 * Revision and path in what follows a repository's name in the address of a page; nothing for the repository itself.
 * @throws ProofroomError invalid_input where the page shows something else than code
 */
export function codeBehind([kind = "", ...rest]: readonly string[], page: Page): string[] {
  if (kind === "") return [];
  const tag = tagOf(kind, rest);
  if (tag !== null) return ["refs", "tags", ...tag];
  if (kind === "branch" && page.host === "bitbucket.org") return ["refs", "heads", ...rest];
  if (!isCodePage(kind, page.host)) throw noCode(kind);
  if ((kind === "src" || kind === "raw") && !unnamed.has(page.host)) return named(rest);
  if (page.kindOfRef === "heads" || page.kindOfRef === "tags") return ["refs", page.kindOfRef, ...rest];
  return rest;
}

/** `releases/tag/NAME` of GitHub and Gitea, `releases/NAME` and `tags/NAME` of GitLab. */
function tagOf(kind: string, rest: readonly string[]): string[] | null {
  const name = kind === "releases" && rest[0] === "tag" ? rest.slice(1) : rest;
  return (kind === "releases" || kind === "tags") && name.length > 0 ? [...name] : null;
}

function named([kind = "", ...rest]: readonly string[]): string[] {
  if (kind === "branch") return ["refs", "heads", ...rest];
  if (kind === "tag") return ["refs", "tags", ...rest];
  if (kind === "commit") return rest;
  return kind === "" ? [] : [kind, ...rest];
}

function noCode(kind: string): ProofroomError {
  if (proposals.has(kind)) {
    return new ProofroomError({
      code: "invalid_input",
      message: "A pull or merge request is a discussion of changes, and is not read as code.",
      remedy: "Give the branch or the commit that it proposes.",
    });
  }
  return new ProofroomError({
    code: "invalid_input",
    message: "The address is a page about the repository, and not its code.",
    remedy: "Give the repository, or a branch, tag, commit, folder or file in it.",
  });
}
