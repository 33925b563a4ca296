import { describe, expect, test } from "vitest";
import { copyNameOf } from "./copy-name.ts";

const gist = "https://gist.github.com/u/0123456789abcdef0123";

describe("the name of a repository's readable copy", () => {
  test.each([
    ["https://github.com/o/r", "o_r"],
    ["https://github.com/o/r.git", "o_r"],
    ["https://github.com/o/r/tree/v1.0/docs", "o_r_v1.0_docs"],
    ["https://github.com/o/r/tree/feature/x", "o_r_feature_x"],
    ["https://raw.githubusercontent.com/o/r/refs/heads/main/a.md", "o_r_main_a"],
    ["https://github.com/o/r/releases/tag/v2", "o_r_v2"],
    ["https://gitlab.com/g/s/r/-/blob/main/a.ipynb", "g_s_r_main_a.ipynb"],
    [gist, "gist_01234567_a.py and 1 more"],
  ])("%s", (ref, name) => {
    expect(copyNameOf({ ref, title: "a.py and 1 more (gist 01234567)" })).toBe(name);
  });

  test("of a long path keeps the end, which tells files apart", () => {
    const folder = "deep/".repeat(30);
    const names = ["one.md", "two.md"].map((file) =>
      copyNameOf({ ref: `https://github.com/o/r/blob/main/${folder}${file}`, title: "t" }),
    );
    for (const [index, name] of names.entries()) {
      expect(name).toMatch(index === 0 ? /^o_r_-.*_one$/ : /^o_r_-.*_two$/);
      expect(name.length).toBeLessThanOrEqual(80);
    }
  });
});
