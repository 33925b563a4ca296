import { expect, test } from "vitest";
import { flatReferences } from "./fixtures/flat-references.ts";

const cases: [name: string, text: string, expected: string[]][] = [
  [
    "a definition in a footnote definition",
    "x[^a]\n\n[^a]: note\n\n    [d]: https://a.com/d\n",
    ["https://a.com/d"],
  ],
  ["html pre", "<pre>\nhttps://no.com\n\n[x](no.md)\n</pre>\nhttps://no2.com\n", ["https://no2.com/"]],
  [
    "html script",
    "<script>\n\nhttps://no.com\n</script> https://no.com\n\nhttps://a.com/x",
    ["https://a.com/x"],
  ],
  ["comment one line", "<!-- x --> https://no.com\nhttps://a.com/y\n", ["https://a.com/y"]],
  [
    "html block 7",
    "<span>\nhttps://no.com\n</span>\n\n<span>x</span> https://a.com/x\n",
    ["https://a.com/x"],
  ],
  ["nested link", "[a [b](https://b.com/x) c](https://c.com/y)", ["https://b.com/x", "https://c.com/y"]],
  ["dup paths", '`./a.md` `a//b.md` "a.md" `A.md` `x/../a.md` `a/./b.md`', ["a.md", "a/b.md", "A.md"]],
  [
    "trailing dot github",
    "https://github.com./o/r https://github.com//o/r https://github.com/o/r.git/ https://GitHub.com/O/R",
    [
      "https://github.com/o/r.git/",
      "https://github.com/O/R",
      "https://github.com./o/r",
      "https://github.com//o/r",
    ],
  ],
  [
    "query oddities",
    "[a](https://a.com/?&&) [b](https://b.com/?a&utm_x&b=%7E) [c](https://c.com/?utm=1) [d](https://d.com/?Fbclid=1&GCLID)",
    ["https://a.com/?&&", "https://b.com/?a&b=%7E", "https://c.com/?utm=1", "https://d.com/"],
  ],
  [
    "file links",
    "[x](<a b.md>) [y](a.md/) [z](..) [w](.) [v](%23a.md) [u](a%252Fb.md) [t](docs/%2e%2e/%2e%2e/x.md) [s](~u/a.md)",
    [
      "a b.md",
      "a.md/",
      "#a.md",
      "a%2Fb.md",
      "..: traversal",
      ".: unsupported_file_type",
      "docs/%2e%2e/%2e%2e/x.md: traversal",
      "~u/a.md: traversal",
    ],
  ],
  [
    "tab entity",
    "[x](ht&#9;tps://a.com/x) [y](&#32;https://b.com/y&#32;)",
    ["https://a.com/x", "https://b.com/y"],
  ],
  [
    "items roots",
    "- /abs/a.md\n- ~/b.md\n- C:\\x\\c.md\n- ../d.md\n- ./e.md\n- f.png\n",
    ["e.md", "/abs/a.md: traversal", "~/b.md: traversal", "C:\\x\\c.md: traversal", "../d.md: traversal"],
  ],
  ["item two lines", "- a.md\n  b.md\n- `c.md` and\n", ["c.md"]],
  [
    "order mixed",
    '"z.md" https://b.com/1 `y.md` [x](x.md) https://a.com/2',
    ["https://b.com/1", "https://a.com/2", "z.md", "y.md", "x.md"],
  ],
  ["linkref to undefined", "[x][nope] [y]", []],
  ["def used by both", "![a][i] [b][i]\n\n[i]: https://a.com/i\n", ["https://a.com/i"]],
  [
    "def dup later own place",
    "[r]: https://b.com/late\n\n[r]\n\n[R]: https://no.com/\n",
    ["https://b.com/late"],
  ],
  [
    "def with image inside link label",
    "[![alt][i]](https://a.com/x)\n\n[i]: https://no.com/i.png\n",
    ["https://a.com/x"],
  ],
  ["footnote label not url", "[^https://no.com]: x\n", []],
  [
    "ipv6 link",
    "[a](http://[::1]:80/x) [b](http://[2606:4700::1]/) [c](http://[64:ff9b::7f00:1]/) [d](http://[2002:c000:204::]/) [e](http://１２７.0.0.1/) [f](http://%31%32%37.1/)",
    [
      "http://[2606:4700::1]/",
      "http://[::1]:80/x: private_address",
      "http://[64:ff9b::7f00:1]/: private_address",
      "http://[2002:c000:204::]/: private_address",
      "http://１２７.0.0.1/: private_address",
      "http://%31%32%37.1/: private_address",
    ],
  ],
  [
    "names private",
    "[a](http://localhost/) [b](http://x.localhost) [c](http://db.internal./) [d](http://127.0.0.1.example.com/) [e](http://localhost.example.com/) [f](https://local)",
    [
      "http://127.0.0.1.example.com/",
      "http://localhost.example.com/",
      "http://localhost/: private_address",
      "http://x.localhost: private_address",
      "http://db.internal./: private_address",
      "https://local: private_address",
    ],
  ],
  [
    "order of checks",
    "[a](ftp://u:p@localhost/) [b](http://u:p@localhost/) [c](https://youtu.be:444/abc) [d](https://u:p@youtu.be/abcdefghijk)",
    [
      "ftp://***@localhost/: unsupported_scheme",
      "http://***@localhost/: credentials_in_url",
      "https://youtu.be:444/abc: invalid_video_id",
      "https://***@youtu.be/abcdefghijk: credentials_in_url",
    ],
  ],
  [
    "user info at in path",
    "[a](https://a.com/@u/x) [b](https://u@a.com/@v?x@y) [c](https://a@b@c.com/)",
    [
      "https://a.com/@u/x",
      "https://***@a.com/@v?x@y: credentials_in_url",
      "https://***@c.com/: credentials_in_url",
    ],
  ],
  [
    "video key",
    "https://youtu.be/abcdefghijk https://youtu.be/abcdefghijk?t=5 https://www.youtube.com/live/abcdefghijk/",
    ["https://www.youtube.com/watch?v=abcdefghijk"],
  ],
  [
    "video extra seg",
    "https://youtu.be/abcdefghijk/x https://www.youtube.com/shorts/abcdefghijk/x https://www.youtube.com/v/abcdefghijk https://www.youtube.com/WATCH?v=abcdefghijk",
    [
      "https://youtu.be/abcdefghijk/x: invalid_video_id",
      "https://www.youtube.com/shorts/abcdefghijk/x: invalid_video_id",
      "https://www.youtube.com/v/abcdefghijk: invalid_video_id",
      "https://www.youtube.com/WATCH?v=abcdefghijk: invalid_video_id",
    ],
  ],
  [
    "slash variants",
    "https://a.com https://a.com/ https://a.com/x https://a.com/x/ https://www.a.com/ https://a.com/X https://a.com/?b=1&a=2 https://a.com/?a=2&b=1",
    [
      "https://a.com/",
      "https://a.com/x",
      "https://a.com/x/",
      "https://www.a.com/",
      "https://a.com/X",
      "https://a.com/?b=1&a=2",
      "https://a.com/?a=2&b=1",
    ],
  ],
  [
    "bare in emphasis & underscore",
    "_https://a.com/x_ __https://b.com/y__ *https://c.com/z*",
    ["https://a.com/x", "https://b.com/y", "https://c.com/z"],
  ],
  [
    "bare in table with pipe",
    "a | b\n--- | ---\nhttps://a.com/x|https://b.com/y\n",
    ["https://a.com/x", "https://b.com/y"],
  ],
  ["code span with url", "`https://no.com/a.md` `docs/a.md#x`", []],
  ["heading item", "- # a.md\n- > b.md\n", []],
  ["list para 2nd", "- text\n\n  a.md\n", []],
  ["cjk quote pair odd", "“a.md“ ”b.md” “c.md”", ["c.md"]],
  ["cjk in path", "`资料/笔记.md` - “数据/表.csv”", ["资料/笔记.md", "数据/表.csv"]],
  ["soft hyphen etc", "`a\u200bb.md`", ["a\u200bb.md"]],
  [
    "crlf",
    "---\r\na: 1\r\n---\r\n- a.md\r\n- b.md\r\n\r\n[x]: https://a.com/x\r\n",
    ["https://a.com/x", "a.md", "b.md"],
  ],
  ["lone cr", "- a.md\r- b.md\r", ["a.md", "b.md"]],
  ["callout", '> [!NOTE]\n> "a.md" https://a.com/x\n', ["https://a.com/x", "a.md"]],
  [
    "indented code in list w url",
    "1. x\n\n       https://no.com\n\n   https://a.com/x\n",
    ["https://a.com/x"],
  ],
  ["tab fence in list", "-\t```\n\thttps://no.com\n\n-\thttps://a.com/x\n", ["https://a.com/x"]],
  [
    "autolink then cjk",
    "<https://a.com/x>。[y](https://b.com/y)、https://c.com/z。",
    ["https://a.com/x", "https://b.com/y", "https://c.com/z"],
  ],
  [
    "amp entity mid",
    "https://a.com/?a=1&amp;b=2 https://a.com/?c&copy;",
    ["https://a.com/?a=1&amp;b=2", "https://a.com/?c"],
  ],
  ["strikethrough path", '~~"a.md"~~ - ~~`b.md`~~', ["a.md", "b.md"]],
  ["del single", '~"a.md"~', ["a.md"]],
  ["paren nested cjk", "（见https://a.cn/x(1)）", ["https://a.cn/x(1)"]],
  ["hard break item", "- a.md  \n- b.md\\\n", ["a.md"]],
  ["ref def no dest angle empty", "[x]: <>\n\n[x]", []],
  ["def in list item", "- [x]: https://a.com/x\n- [y]: b.md\n", ["https://a.com/x", "b.md"]],
  ["unmatched straight", '5" x "a.md" y', ["a.md"]],
  ["escaped link", "\\[x](https://a.com/x)", ["https://a.com/x"]],
  ["escaped bang", "\\![x](a.md)", ["a.md"]],
];

test.each(cases)("finds the sources wherever they stand: %s", (_name, text, expected) => {
  expect(flatReferences(text)).toEqual(expected);
});
