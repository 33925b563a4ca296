import { describe, expect, it } from "vitest";
import { languageOf, soundness } from "./code-soundness.ts";

const block = (code: string, language: string | null = null) => ({ code, language });

describe("languageOf", () => {
  it.each([
    ["python", "import os\nprint(os.name)"],
    ["python", "def f(a):\n    return a"],
    ["javascript", "const a = 1;\nfunction f() {}"],
    ["json", '{"a": [1, 2]}'],
    ["bash", "npm install proofroom\nnpm start"],
    ["", "something else entirely"],
  ])("sees %s", (language, code) => {
    expect(languageOf(block(code))).toBe(language);
  });

  it("believes the source", () => {
    expect(languageOf(block("const a = 1;", "ts"))).toBe("ts");
  });
});

describe("soundness", () => {
  it.each([
    ["Python of the standard library", "python", "import json\n\nvalue = json.loads('[1]')\nprint(value)"],
    ["JavaScript without imports", "js", "const list = [1, 2];\nlist.push(3);\nconsole.log(list);"],
    ["a loop over its own names", "python", "rows = ['a']\nfor row in rows:\n    print(row.upper())"],
  ])("is full for %s", (_name, language, code) => {
    expect(soundness(block(code, language))).toBe(1);
  });

  it.each([
    ["a package", "python", "import requests_html\n\nx = requests_html.Session()\nprint(x)"],
    [
      "a client that is made elsewhere",
      "python",
      "a = 1\nanswer = client.responses.create(a)\nprint(answer)",
    ],
    ["input", "python", "a = 1\nb = input('name')\nprint(a, b)"],
    ["the network", "js", "const a = 1;\nconst r = await fetch('/x');\nconsole.log(r, a);"],
  ])("is less for what needs %s", (_name, language, code) => {
    expect(soundness(block(code, language))).toBeGreaterThan(0);
    expect(soundness(block(code, language))).toBeLessThan(1);
  });

  it.each([
    ["a placeholder", "python", "key = 'YOUR_API_KEY'\nprint(key)\nprint(key)"],
    ["an ellipsis", "python", "def f():\n    ...\n\nprint(f())"],
    ["an unclosed bracket", "js", "call({\n  a: 1,\n  b: 2,"],
    ["an indented fragment", "python", "    a = 1\n    b = 2\n    print(a)"],
    ["two lines", "python", "a = 1\nprint(a)"],
    ["a whole file", "python", Array(70).fill("a = 1").join("\n")],
    ["JSON with a comment", "json", '{\n  "a": 1 // one\n}'],
    ["backslashes of a bad extraction", "js", "const a = [\\\n 1,\\\n 2,\\\n];"],
    ["no language", null, "one line\nanother line\na third line"],
    ["output", "text", "$ ls\na\nb"],
  ])("is nothing for %s", (_name, language, code) => {
    expect(soundness(block(code, language))).toBe(0);
  });
});
