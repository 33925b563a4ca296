import { describe, expect, test } from "vitest";
import { flatReferences as found } from "./fixtures/flat-references.ts";
import { parseGuidelineReferences } from "./references.ts";

describe("bare URLs", () => {
  test.each([
    ["\u5728https://a.cn/x\uFF0C\u4EE3\u7801\u5728\u201Csrc/a.py\u201D", ["https://a.cn/x", "src/a.py"]],
    ["**https://a.cn/x**\u3002\u7136\u540E", ["https://a.cn/x"]],
    ["https://a.cn/x\uFF08https://b.cn/y_\uFF09", ["https://a.cn/x", "https://b.cn/y"]],
    ["https://a.cn/x)\u3001https://b.cn/z(w)", ["https://a.cn/x", "https://b.cn/z(w)"]],
    ["a [stray https://a.com/x] bracket, (https://b.com/y)", ["https://a.com/x", "https://b.com/y"]],
    ["https://a.com/x&lt; https://b.com/y&amp;z=1", ["https://a.com/x", "https://b.com/y&amp;z=1"]],
    ["www.\u3002 https://\u3002", []],
    ["https\\://escaped.com xhttps://letter.com https://a.under_score.com/x", []],
    ["3https://digit.com \u00E9https://letter.com", ["https://digit.com/", "https://letter.com/"]],
  ])("%s", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe("definitions", () => {
  test("of a label used by images only are left out, also inside links; later ones of a label are ignored", () => {
    const text =
      "[![i][img]](https://x.com/) [t][both] ![i][both]\n\n[img]: https://i.com/\n[both]: https://b.com/\n[BOTH]: https://c.com/\n[alone]: a.md\n";
    expect(found(text)).toEqual(["https://x.com/", "https://b.com/", "a.md"]);
  });
});

describe("destinations", () => {
  test.each([
    ["<  https://a.com/x  >", ["https://a.com/x"]],
    ["java&#10;script:alert(1)", ["java\nscript:alert(1): unsupported_scheme"]],
    ["https://a.com/x?", ["https://a.com/x"]],
    ["https://a.com/?UTM_x=1&a=%7e&gclid=2#f", ["https://a.com/?a=%7e#f"]],
    ["MAILTO:a@b.c", []],
    ["example.com:8080/x", ["example.com:8080/x: unsupported_scheme"]],
    ["http://localhost./", ["http://localhost./: private_address"]],
    ["https:user:pw@example.com/x", ["https:***@example.com/x: credentials_in_url"]],
    ["https:\\\\\\\\user:pw@example.com/x", ["https:\\\\***@example.com/x: credentials_in_url"]],
    ["//a:b@example.com/x", ["//***@example.com/x: credentials_in_url"]],
    ["my%20file.md?x#y", ["my file.md"]],
    ["bad%zz.md", ["bad%zz.md"]],
    ["a%00.md", ["a%00.md: invalid_path"]],
    ["..%5C..%5Cx.md", ["..%5C..%5Cx.md: traversal"]],
    ["%43%3A/x.md", ["%43%3A/x.md: traversal"]],
    ["./~/x.md", ["./~/x.md: traversal"]],
    ["docs/sub/../", ["docs/"]],
    ["./", ["./: unsupported_file_type"]],
    ["docs/..", ["docs/..: unsupported_file_type"]],
  ])("[x](%s)", (destination, expected) => {
    expect(found(`[x](${destination})`)).toEqual(expected);
  });
});

describe("classes of URLs", () => {
  const listOf = (url: string) =>
    Object.entries(parseGuidelineReferences(`<${url}>`)).find(([, list]) => list.length > 0)?.[0];

  test.each([
    ["https://github.com/o/r/", "github_urls"],
    ["https://github.com/o/r.git?x=1#y", "github_urls"],
    ["https://github.com/o/r/tree/main", "github_urls"],
    ["https://github.com/o/r/blob", "other_urls"],
    ["https://github.com/o/.git", "other_urls"],
    ["https://github.com/sponsors/x", "other_urls"],
    ["https://github.com./o/r", "other_urls"],
    ["https://docs.github.com/x.git", "other_urls"],
    ["https://gist.github.com/", "github_urls"],
    ["https://gitlab.com/a/b", "git_urls"],
    ["https://gitlab.com/a.git", "other_urls"],
    ["https://git.example.org/a.git?x", "git_urls"],
    ["https://youtu.be/abcdefghijk/", "youtube_videos_urls"],
    ["https://www.youtube.com/watch?v=abc%64efghijk", "youtube_videos_urls"],
    ["https://www.youtube.com/watch/?v=abcdefghijk", "rejected"],
    ["https://youtu.be/abcdefghijk/x", "rejected"],
    ["https://youtu.be/%zzbcdefghij", "rejected"],
    ["https://www.youtube.com/embed/live_stream?channel=x", "rejected"],
    ["https://gaming.youtube.com/watch?v=abcdefghijk", "other_urls"],
  ])("%s", (url, list) => {
    expect(listOf(url)).toBe(list);
  });
});

describe("servers of one's own", () => {
  const gitHosts = new Set(["git.example.org", "code.example.org:8443"]);

  test.each([
    ["https://git.example.org/g/r", "git_urls"],
    ["https://git.example.org/g/sub/r/-/tree/main/docs", "git_urls"],
    ["https://git.example.org/g/r/src/branch/main/a.md", "git_urls"],
    ["https://code.example.org:8443/o/r/blob/main/a.ipynb", "git_urls"],
    ["https://git.example.org/g", "other_urls"],
    ["https://git.example.org/g/r/-/issues/3", "other_urls"],
    ["https://git.example.org/o/r/pulls", "other_urls"],
    ["http://git.example.org/g/r", "other_urls"],
    ["https://code.example.org/o/r", "other_urls"],
    ["https://git.example.org.evil.example/g/r", "other_urls"],
    ["https://sub.git.example.org/g/r", "other_urls"],
  ])("%s", (url, list) => {
    const found = parseGuidelineReferences(`<${url}>`, { gitHosts });
    expect(Object.entries(found).filter(([, urls]) => urls.length > 0)).toEqual([[list, [url]]]);
  });

  test("are web pages like any other where they are not listed", () => {
    expect(parseGuidelineReferences("<https://git.example.org/g/r>").git_urls).toEqual([]);
  });
});

describe("paths in text", () => {
  test.each([
    ['"a.py"b.py"c.py" \u201Cx.py\u201D \u201Cy.py" "z.py\u201D', ["a.py", "b.py", "c.py", "x.py"]],
    ['| A |\n| - |\n| "src/__init__.py" |\n| "b.py |', ["src/__init__.py"]],
    ['# The "a.py" file\n\n> "b.\n> py"', ["a.py"]],
    [
      "- [x] __init__.py\n- a.py <!-- c -->\n- ~/z.md\n\n* > b.py\n\n- ```\n  x\n  ```\n  c.py\n",
      ["__init__.py", "~/z.md: traversal"],
    ],
    ["- www.example.org/a.html\n- me@example.md\n", ["http://www.example.org/a.html"]],
    [
      "`/api/` `./` `src/../` `~/n/` `C:\\d\\` `//s/a.md` `a b/`",
      ["~/n/: traversal", "C:\\d\\: traversal", "//s/a.md: traversal"],
    ],
    ['[see "a.md"](https://a.com/) <b title="b.md"> ![x "c.md"](d.png) `"e.md"`', ["https://a.com/"]],
  ])("%s", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe("input", () => {
  test("front matter is left out only if it is closed; lone CR ends a line", () => {
    expect(found("---\nx: https://a.com\n--- \t\nhttps://b.com/")).toEqual(["https://b.com/"]);
    expect(found("---\nx: https://a.com/\n")).toEqual(["https://a.com/"]);
    expect(found("\uFEFF---\r\rhttps://a.com/\r---\r- b.py\r- c.py")).toEqual(["b.py", "c.py"]);
  });
});
