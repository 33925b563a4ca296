import { expect, test } from "vitest";
import { extractFences } from "./extract-fences.ts";

type Seen = [language: string | null, info: string, code: string, line: number, ...flags: string[]];

function seen(markdown: string): Seen[] {
  return extractFences(markdown).map((fence) => [
    fence.language,
    fence.info,
    fence.code,
    fence.start_line,
    ...(fence.nested_in === undefined ? [] : ["nested"]),
    ...(fence.unclosed ? ["unclosed"] : []),
    ...(fence.indented ? ["indented"] : []),
    ...(fence.suspicious_nesting ? ["suspicious"] : []),
  ]);
}

const cases: [name: string, markdown: string, expected: Seen[]][] = [
  ["list fence", "- a\n  ```py\n  x\n    y\n  ```\n", [["python", "py", "x\n  y", 2]]],
  ["list less indent ends", "- ```py\n  x\ny\n", [["python", "py", "x", 1, "unclosed"]]],
  ["quote lazy not", "> ```py\n> x\ny\n", [["python", "py", "x", 1, "unclosed"]]],
  ["quote closing", "> ~~~js\n>  x\n> ~~~\n", [["javascript", "js", " x", 1]]],
  ["tab list", "-\t```sh\n\tls\n\t```\n", [["bash", "sh", "ls", 1]]],
  ["tab content list", "- ```\n  \tx\n  ```\n", [[null, "", "\tx", 1]]],
  ["tab two cols", "-\ta\n\n\t    x\n", [[null, "", "x", 3, "indented"]]],
  ["tilde info w backtick", "~~~ a`b ~c\nx\n~~~\n", [[null, "a`b ~c", "x", 1]]],
  ["backtick info w tick", "``` a`b\nx\n```\n", [[null, "", "", 3, "unclosed"]]],
  ["indent fence", "   ```js\n     a\n  b\n ```\n", [["javascript", "js", "  a\nb", 1]]],
  ["closing 4 spaces", "```\na\n    ```\n", [[null, "", "a\n    ```", 1, "unclosed"]]],
  ["closing shorter", "````\n```\n````\n", [[null, "", "```", 1]]],
  ["closing w/ info", "```\na\n``` b\n```\n", [[null, "", "a\n``` b", 1, "suspicious"]]],
  [
    "attrs",
    '```{.python .numberLines startFrom="10"}\n```\n```{r, echo=FALSE}\n```\n``` {#id .js}\n```\n```{python}\n```\n```{#only}\n```\n',
    [
      ["python", '{.python .numberLines startFrom="10"}', "", 1],
      ["r", "{r, echo=FALSE}", "", 3],
      ["javascript", "{#id .js}", "", 5],
      ["python", "{python}", "", 7],
      [null, "{#only}", "", 9],
    ],
  ],
  [
    "info suffix",
    '```rust,ignore\n```\n```js{1,3}\n```\n```python:app.py\n```\n```title=x\n```\n```py title="a"\n```\n```ts twoslash\n```\n',
    [
      ["rust", "rust,ignore", "", 1],
      ["javascript", "js{1,3}", "", 3],
      ["python", "python:app.py", "", 5],
      [null, "title=x", "", 7],
      ["python", 'py title="a"', "", 9],
      ["typescript", "ts twoslash", "", 11],
    ],
  ],
  [
    "info eq after brace",
    "```js{a=1}\n```\n```js:a=1\n```\n```js,a=1\n```\n```a=1:js\n```\n",
    [
      ["javascript", "js{a=1}", "", 1],
      ["javascript", "js:a=1", "", 3],
      ["javascript", "js,a=1", "", 5],
      [null, "a=1:js", "", 7],
    ],
  ],
  [
    "entities",
    "``` p&#121;\n```\n``` c\\+\\+\n```\n``` c&num;\n```\n",
    [
      ["python", "p&#121;", "", 1],
      ["cpp", "c\\+\\+", "", 3],
      ["csharp", "c&num;", "", 5],
    ],
  ],
  ["zero width", "```\u200bpython\u200d\nx\u200b\n```\n", [["python", "\u200bpython\u200d", "x\u200b", 1]]],
  [
    "nonascii",
    "```Питон\n```\n```PYTHON3\n```\n```1c\n```\n```c++17\n```\n",
    [
      [null, "Питон", "", 1],
      ["python", "PYTHON3", "", 3],
      [null, "1c", "", 5],
      ["c++17", "c++17", "", 7],
    ],
  ],
  [
    "nested md",
    "````md\n```py\na\n```\n````\n",
    [
      ["markdown", "md", "```py\na\n```", 1],
      ["python", "py", "a", 2, "nested"],
    ],
  ],
  [
    "nested md tilde",
    "~~~markdown\n```js\na\n```\n~~~js\n~~~\n",
    [
      ["markdown", "markdown", "```js\na\n```\n~~~js", 1, "suspicious"],
      ["javascript", "js", "a", 2, "nested"],
    ],
  ],
  [
    "md suspicious",
    "```md\n# x\n```py\na\n```\nafter\n```\n",
    [
      ["markdown", "md", "# x\n```py\na", 1, "suspicious"],
      [null, "", "", 7, "unclosed"],
    ],
  ],
  ["py suspicious", "```py\nx\n```js\ny\n```\n", [["python", "py", "x\n```js\ny", 1, "suspicious"]]],
  ["susp indent 4", "```py\nx\n    ```js\n```\n", [["python", "py", "x\n    ```js", 1]]],
  ["susp shorter", "````py\n```js\n````\n", [["python", "py", "```js", 1]]],
  ["susp other char", "~~~py\n```js\n~~~\n", [["python", "py", "```js", 1]]],
  ["susp dedent", "   ```py\n      ```js\n   ```\n", [["python", "py", "   ```js", 1, "suspicious"]]],
  ["susp longer", "```py\n`````js\n```\n", [["python", "py", "`````js", 1, "suspicious"]]],
  ["susp tick in info", "```py\n```a`b\n```\n", [["python", "py", "```a`b", 1]]],
  [
    "nested md in list",
    "- ````md\n  > ```py\n  > a\n  > ```\n  ````\n",
    [
      ["markdown", "md", "> ```py\n> a\n> ```", 1],
      ["python", "py", "a", 2, "nested"],
    ],
  ],
  ["unclosed trailing blanks", "```py\na\n\n\n", [["python", "py", "a", 1, "unclosed"]]],
  ["unclosed in item", "- ```py\n  a\n\n\n- b\n", [["python", "py", "a", 1, "unclosed"]]],
  ["closed keeps blanks", "```py\na\n\n\n```\n", [["python", "py", "a\n\n", 1]]],
  [
    "ws only",
    "```\n  \n```\n```\n\n```\n",
    [
      [null, "", "  ", 1],
      [null, "", "", 4],
    ],
  ],
  ["indented", "text\n\n    a\n\n      b\n\nx\n", [[null, "", "a\n\n  b", 3, "indented"]]],
  ["indented not in para", "text\n    a\n", []],
  ["indented tab", "\ta\n \tb\n", [[null, "", "a\nb", 1, "indented"]]],
  [
    "html",
    "<pre>\n```py\nx\n```\n</pre>\n\n<!--\n```\n-->\n<details>\n```js\n```\n\n```js\ny\n```\n</details>\n",
    [["javascript", "js", "y", 14]],
  ],
  ["front matter", "---\ncode: |\n  ```py\n---\n```py\na\n```\n", [["python", "py", "a", 5]]],
  ["front matter unclosed", "---\n```py\na\n```\n", [["python", "py", "a", 2]]],
  ["u2028", "```py\na\u2028b\u0085c\fd\u000be\n```\n", [["python", "py", "a\u2028b\u0085c\fd\u000be", 1]]],
  ["cr", "```py\ra\rb\r```\r", [["python", "py", "a\nb", 1]]],
  ["table then fence", "| a |\n|---|\n| b |\n```py\nx\n```\n", [["python", "py", "x", 4]]],
  ["para interrupt", "text\n```py\nx\n```\ntext\n", [["python", "py", "x", 2]]],
  ["footnote def lazy", "[^1]: a\n    ```py\n", []],
  [
    "admonition tabs",
    '=== "Py"\n\n    ```py\n    a\n    ```\n',
    [[null, "", "```py\na\n```", 3, "indented"]],
  ],
  ["colon container", "::: code\n```py\na\n```\n:::\n", [["python", "py", "a", 2]]],
  ["quote in list", "1. > ```py\n   > a\n   > ```\n", [["python", "py", "a", 1]]],
  ["deep list", "- a\n  - b\n    - ```yml\n      k: v\n      ```\n", [["yaml", "yml", "k: v", 3]]],
  ["empty fence EOF", "```py", [["python", "py", "", 1, "unclosed"]]],
  ["fence EOF no newline", "```py\na\n```", [["python", "py", "a", 1]]],
  ["closing trailing ws", "```py\na\n``` \t\n", [["python", "py", "a", 1]]],
  ["closing longer", "```py\na\n`````\n", [["python", "py", "a", 1]]],
  ["tilde closing tick", "~~~py\na\n```\n~~~\n", [["python", "py", "a\n```", 1]]],
  ["blank lines in quote", "> ```py\n>\n> a\n>\n> ```\n", [["python", "py", "\na\n", 1]]],
  ["quote no space", ">```py\n>a\n> b\n>```\n", [["python", "py", "a\nb", 1]]],
  ["list tab content", "1.\t```py\n\ta\n\t\tb\n\t```\n", [["python", "py", "a\n\tb", 1]]],
  ["setext after", "```py\na\n```\n===\n", [["python", "py", "a", 1]]],
  ["link def before", "[a]: b\n```py\na\n```\n", [["python", "py", "a", 2]]],
  [
    "md nested front matter",
    "````md\n---\nx: 1\n---\n```py\na\n```\n````\n",
    [
      ["markdown", "md", "---\nx: 1\n---\n```py\na\n```", 1],
      ["python", "py", "a", 5, "nested"],
    ],
  ],
  [
    "md nested unclosed",
    "````md\n```py\na\n````\n",
    [
      ["markdown", "md", "```py\na", 1],
      ["python", "py", "a", 2, "nested", "unclosed"],
    ],
  ],
  ["md nested indented", "````md\n    code\n````\n", [["markdown", "md", "    code", 1]]],
  ["mdx not nested", "````mdx\n```py\na\n```\n````\n", [["mdx", "mdx", "```py\na\n```", 1]]],
  ["text not nested", "````text\n```py\na\n```\n````\n", [["text", "text", "```py\na\n```", 1]]],
  [
    "md 3 levels",
    "`````md\n````md\n```py\na\n```\n````\n`````\n",
    [
      ["markdown", "md", "````md\n```py\na\n```\n````", 1],
      ["markdown", "md", "```py\na\n```", 2, "nested"],
      ["python", "py", "a", 3, "nested"],
    ],
  ],
  ["bom crlf", "\ufeff```py\r\na\r\n```\r\n", [["python", "py", "a", 1]]],
  ["info nbsp", "```\u00a0py\na\n```\n", [[null, "\u00a0py", "a", 1]]],
  ["info tabs", "```\tpy\t x \t\na\n```\n", [["python", "py\t x", "a", 1]]],
  ["attr quoted", '```{.py title="a } .js"}\na\n```\n', [["python", '{.py title="a } .js"}', "a", 1]]],
  [
    "attr word comma",
    "```{python, eval=F}\n```\n```{python,eval=F}\n```\n```{ .py}\n```\n```{}\n```\n",
    [
      ["python", "{python, eval=F}", "", 1],
      ["python", "{python,eval=F}", "", 3],
      ["python", "{ .py}", "", 5],
      [null, "{}", "", 7],
    ],
  ],
  ["attr key", "```{key=.py}\n```\n", [[null, "{key=.py}", "", 1]]],
  ["brace word", "```py{.x}\n```\n", [["python", "py{.x}", "", 1]]],
];

test.each(cases)("reads blocks where constructs meet: %s", (_name, markdown, expected) => {
  expect(seen(markdown)).toEqual(expected);
});
