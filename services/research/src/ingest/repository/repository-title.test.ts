import { describe, expect, test } from "vitest";
import { titleOf, wantedPath } from "./repository-title.ts";

const repository = { name: "o/r", isGist: false };
const gist = { name: "0123456789abcdef0123456789abcdef", isGist: true };
const whole = { name: null, path: "" };

describe("what a source of a repository is called", () => {
  test.each([
    [repository, whole, [], "o/r"],
    [repository, { name: "v1.0", path: "docs" }, [], "o/r/docs at v1.0"],
    [repository, { name: "a".repeat(40), path: "" }, [], "o/r at aaaaaaaa"],
    [gist, whole, ["retry.py"], "retry.py (gist 01234567)"],
    [gist, whole, ["a.md", "b.py", "c.py"], "a.md and 2 more (gist 01234567)"],
    [gist, { name: "b".repeat(40), path: "b.py" }, ["a.md", "b.py"], "b.py (gist 01234567) at bbbbbbbb"],
    [gist, whole, [], `${gist.name} (gist 01234567)`],
  ])("%j %j %j", (address, revision, files, title) => {
    expect(titleOf(address, revision, files)).toBe(title);
  });
});

test("of a gist with one file that file is wanted, of any other what the address says", () => {
  expect(wantedPath(gist, whole, ["a.ipynb"])).toBe("a.ipynb");
  expect(wantedPath(gist, whole, ["a.md", "b.md"])).toBe("");
  expect(wantedPath(gist, { name: null, path: "b.md" }, ["b.md"])).toBe("b.md");
  expect(wantedPath(repository, whole, ["a.md"])).toBe("");
});
