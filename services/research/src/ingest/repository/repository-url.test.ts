import { describe, expect, test } from "vitest";
import { parseRepositoryUrl } from "./repository-url.ts";

describe("addresses of repositories", () => {
  test.each([
    ["https://github.com/o/r", "https://github.com/o/r", "o/r", []],
    ["http://www.github.com/o/r.git/", "http://github.com/o/r.git", "o/r", []],
    ["https://github.com/o/r?tab=readme#usage", "https://github.com/o/r", "o/r", []],
    ["https://github.com/o/r/issues/3", "https://github.com/o/r", "o/r", []],
    ["https://github.com/o/r/tree/feature/x/docs", "https://github.com/o/r", "o/r", ["feature", "x", "docs"]],
    [
      "https://github.com/o/r/blob/v1.0/src/a%20b.py",
      "https://github.com/o/r",
      "o/r",
      ["v1.0", "src", "a b.py"],
    ],
    ["https://github.com/o/r/commit/0123abc", "https://github.com/o/r", "o/r", ["0123abc"]],
    ["https://github.com/o/r/releases/tag/v2", "https://github.com/o/r", "o/r", ["v2"]],
    ["https://github.com/o/r/releases", "https://github.com/o/r", "o/r", []],
    ["https://raw.githubusercontent.com/o/r/main/a.md", "https://github.com/o/r", "o/r", ["main", "a.md"]],
    [
      "https://raw.githubusercontent.com/o/r/refs/heads/main/a.md",
      "https://github.com/o/r",
      "o/r",
      ["main", "a.md"],
    ],
    [
      "https://gist.github.com/u/0123456789abcdef0123",
      "https://gist.github.com/0123456789abcdef0123",
      "0123456789abcdef0123",
      [],
    ],
    ["https://gitlab.com/g/s/r", "https://gitlab.com/g/s/r", "g/s/r", []],
    ["https://gitlab.com/g/s/r/-/tree/main/docs", "https://gitlab.com/g/s/r", "g/s/r", ["main", "docs"]],
    ["https://gitlab.com/g/s/r/-/issues", "https://gitlab.com/g/s/r", "g/s/r", []],
    ["https://bitbucket.org/o/r/src/main/a.py", "https://bitbucket.org/o/r", "o/r", ["main", "a.py"]],
    ["https://codeberg.org/o/r/src/branch/a/b/c.rs", "https://codeberg.org/o/r", "o/r", ["a", "b", "c.rs"]],
    [
      "https://git.example.org/deep/er/r.git/tree/main",
      "https://git.example.org/deep/er/r.git",
      "deep/er/r",
      ["main"],
    ],
    ["git@github.com:o/r.git", "https://github.com/o/r.git", "o/r", []],
    ["ssh://git@gitlab.com:2222/g/r.git", "https://gitlab.com/g/r.git", "g/r", []],
    ["git://example.org/r.git", "https://example.org/r.git", "r", []],
    ["git+https://github.com/o/r.git", "https://github.com/o/r.git", "o/r", []],
  ])("%s", (ref, url, name, rest) => {
    const parsed = parseRepositoryUrl(ref);
    expect({ ...parsed, url: parsed.url.href }).toEqual({ url, name, rest });
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
