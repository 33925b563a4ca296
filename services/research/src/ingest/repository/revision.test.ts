import { describe, expect, test } from "vitest";
import { findRevision } from "./revision.ts";

const advertised = [
  "1\trefs/heads/main",
  "2\trefs/heads/feature/deep/name",
  "3\trefs/tags/v1.0",
  "3\trefs/tags/v1.0^{}",
  "4\trefs/tags/feature",
  "5\trefs/heads/abc1234",
  "",
].join("\n");

describe("the revision at the start of an address", () => {
  test.each([
    [[], null, { ref: "HEAD" }, ""],
    [["main"], "main", { ref: "refs/heads/main" }, ""],
    [["main", "docs", "a.md"], "main", { ref: "refs/heads/main" }, "docs/a.md"],
    [["feature", "deep", "name", "x"], "feature/deep/name", { ref: "refs/heads/feature/deep/name" }, "x"],
    [["feature", "deep"], "feature", { ref: "refs/tags/feature" }, "deep"],
    [["v1.0", "sub"], "v1.0", { ref: "refs/tags/v1.0" }, "sub"],
    [["abc1234"], "abc1234", { ref: "refs/heads/abc1234" }, ""],
    [["abc1235", "x"], "abc1235", { commit: "abc1235" }, "x"],
    [["HEAD", "x"], null, { ref: "HEAD" }, "x"],
  ])("%j", (rest, name, wanted, path) => {
    expect(findRevision(advertised, rest)).toEqual({ name, wanted, path });
  });

  test.each([
    [["refs", "tags", "feature", "x"], "feature", "refs/tags/feature", "x"],
    [["refs", "heads", "main", "x"], "main", "refs/heads/main", "x"],
  ])("%j is of that kind alone", (rest, name, ref, path) => {
    expect(findRevision(advertised, rest)).toEqual({ name, wanted: { ref }, path });
    expect(() => findRevision(advertised, ["refs", "heads", "v1.0"])).toThrow(
      expect.objectContaining({ code: "not_found" }),
    );
  });

  test("a name that is neither branch, tag nor commit is not_found", () => {
    expect(() => findRevision(advertised, ["gone", "x"])).toThrow(
      expect.objectContaining({ code: "not_found" }),
    );
  });
});
