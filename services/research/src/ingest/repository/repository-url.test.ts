import { describe, expect, test } from "vitest";
import { parseRepositoryUrl } from "./repository-url.ts";

describe("addresses of repositories", () => {
  test.each([
    ["https://github.com/o/r", "https://github.com/o/r", "o/r", []],
    ["http://www.github.com/o/r.git/", "http://github.com/o/r.git", "o/r", []],
    ["https://github.com/o/r?tab=readme#usage", "https://github.com/o/r", "o/r", []],
    ["https://github.com/o/r/tree/feature/x/docs", "https://github.com/o/r", "o/r", ["feature", "x", "docs"]],
    [
      "https://github.com/o/r/blob/v1.0/src/a%20b.py",
      "https://github.com/o/r",
      "o/r",
      ["v1.0", "src", "a b.py"],
    ],
    ["https://github.com/o/r/commit/0123abc", "https://github.com/o/r", "o/r", ["0123abc"]],
    ["https://github.com/o/r/releases/tag/v2", "https://github.com/o/r", "o/r", ["refs", "tags", "v2"]],
    ["https://raw.githubusercontent.com/o/r/main/a.md", "https://github.com/o/r", "o/r", ["main", "a.md"]],
    [
      "https://raw.githubusercontent.com/o/r/refs/heads/main/a.md",
      "https://github.com/o/r",
      "o/r",
      ["refs", "heads", "main", "a.md"],
    ],
    [
      "https://gist.github.com/u/0123456789abcdef0123",
      "https://gist.github.com/0123456789abcdef0123",
      "0123456789abcdef0123",
      [],
    ],
    ["https://gitlab.com/g/s/r", "https://gitlab.com/g/s/r", "g/s/r", []],
    ["https://gitlab.com/g/s/r/-/tree/main/docs", "https://gitlab.com/g/s/r", "g/s/r", ["main", "docs"]],
    ["https://gitlab.com/g/s/src", "https://gitlab.com/g/s/src", "g/s/src", []],
    ["https://www.gitlab.com/g/r/blob/main/a.md", "https://gitlab.com/g/r", "g/r", ["main", "a.md"]],
    [
      "https://gitlab.com/g/r/-/raw/v1/x.git/-/a.md",
      "https://gitlab.com/g/r",
      "g/r",
      ["v1", "x.git", "-", "a.md"],
    ],
    ["https://gitlab.com/g/r/-/tags/v1", "https://gitlab.com/g/r", "g/r", ["refs", "tags", "v1"]],
    [
      "https://gitlab.com/g/r/-/tree/v1/docs?ref_type=tags",
      "https://gitlab.com/g/r",
      "g/r",
      ["refs", "tags", "v1", "docs"],
    ],
    [
      "https://git.example.org:8443/g/s/r/-/blob/main/a.md",
      "https://git.example.org:8443/g/s/r",
      "g/s/r",
      ["main", "a.md"],
    ],
    ["https://git.example.org/r.git/-/tree/main", "https://git.example.org/r.git", "r", ["main"]],
    [
      "https://git.example.org/o/r.git/tree/main/-/a.md",
      "https://git.example.org/o/r.git",
      "o/r",
      ["main", "-", "a.md"],
    ],
    [
      "https://bitbucket.org/o/r/src/feature%2Fx/docs/",
      "https://bitbucket.org/o/r",
      "o/r",
      ["feature", "x", "docs"],
    ],
    [
      "https://bitbucket.org/o/r/branch/feature/x",
      "https://bitbucket.org/o/r",
      "o/r",
      ["refs", "heads", "feature", "x"],
    ],
    ["https://bitbucket.org/o/r/commits/0123abc", "https://bitbucket.org/o/r", "o/r", ["0123abc"]],
    ["https://bitbucket.org/o/r/src/main/a.py", "https://bitbucket.org/o/r", "o/r", ["main", "a.py"]],
    [
      "https://codeberg.org/o/r/src/branch/a/b/c.rs",
      "https://codeberg.org/o/r",
      "o/r",
      ["refs", "heads", "a", "b", "c.rs"],
    ],
    [
      "https://git.example.org/deep/er/r.git/tree/main",
      "https://git.example.org/deep/er/r.git",
      "deep/er/r",
      ["main"],
    ],
    [
      "https://git.example.org/o/r/src/tag/v1/a.rs",
      "https://git.example.org/o/r",
      "o/r",
      ["refs", "tags", "v1", "a.rs"],
    ],
    ["git+https://github.com/o/r.git", "https://github.com/o/r.git", "o/r", []],
  ])("%s", (ref, url, name, rest) => {
    const parsed = parseRepositoryUrl(ref);
    expect({ ...parsed, url: parsed.url.href }).toEqual({ url, name, rest, isGist: url.includes("//gist.") });
  });

  const gist = "0123456789abcdef0123456789abcdef";
  const revision = "0123456789abcdef0123456789abcdef01234567";
  test.each([
    [`https://gist.github.com/u/${gist}/${revision}`, [revision]],
    [`https://gist.github.com/${gist}.git`, []],
    [`https://gist.github.com/u/${gist}/revisions`, []],
    [`https://gist.github.com/u/${gist}/raw/${revision}/a%20b.py`, [revision, "a b.py"]],
    [`https://gist.githubusercontent.com/u/${gist}/raw/a.py`, ["HEAD", "a.py"]],
    [`https://gist.githubusercontent.com/u/${gist}/raw`, []],
  ])("of a gist, %s", (ref, rest) => {
    const parsed = parseRepositoryUrl(ref);
    expect(parsed).toMatchObject({ isGist: true, name: gist, rest });
    expect(parsed.url.href).toMatch(new RegExp(`^https://gist\\.github\\.com/${gist}(?:\\.git)?$`));
  });

  test.each([
    ["git@github.com:o/r.git", "https://github.com/o/r.git"],
    ["ssh://git@gitlab.com:2222/g/s/r.git", "https://gitlab.com/g/s/r.git"],
    ["git+ssh://git@example.org/r.git", "https://example.org/r.git"],
    ["git://example.org/r.git", "https://example.org/r.git"],
  ])("%s is not fetched, and its https address is told", (ref, address) => {
    expect(() => parseRepositoryUrl(ref)).toThrow(
      expect.objectContaining({ code: "invalid_input", remedy: `Give its https address: ${address}` }),
    );
  });

  test.each([
    ["https://github.com/o/r/pull/7/files", /request/],
    ["https://gitlab.com/g/r/-/merge_requests/7", /request/],
    ["https://bitbucket.org/o/r/pull-requests/7", /request/],
    ["https://github.com/o/r/issues/3", /page about/],
    ["https://github.com/o/r/releases", /page about/],
    ["https://gitlab.com/g/s/r/-/issues", /page about/],
    ["https://codeberg.org/o/r/wiki", /page about/],
  ])("%s is refused with the reason", (ref, reason) => {
    expect(() => parseRepositoryUrl(ref)).toThrow(
      expect.objectContaining({ code: "invalid_input", message: expect.stringMatching(reason) }),
    );
  });

  test.each([
    "https://user:secret@github.com/o/r",
    "https://github.com/",
    "file:///etc/passwd",
    "ext::sh -c touch% /tmp/x",
    "--upload-pack=touch",
    "https://github.com/o/r/tree/main/%2e%2e%2f%2e%2e%2fetc",
    "https://gist.github.com/u",
    "not a url",
  ])("%s is refused, and not repeated in the message", (ref) => {
    let message = "";
    try {
      parseRepositoryUrl(ref);
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid_input" });
      message = (error as Error).message;
    }
    expect(message).not.toBe("");
    expect(message).not.toContain("secret");
  });
});
