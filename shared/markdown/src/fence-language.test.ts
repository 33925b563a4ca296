import { describe, expect, it } from "vitest";
import { extractFences } from "./extract-fences.ts";

/** The language read from an info string, through the parser that decodes it. */
const languageOf = (info: string) => extractFences(`~~~${info}\ncode\n~~~\n`)[0]?.language;

describe("the language of an info string", () => {
  it.each([
    ["Py", "python"],
    ["c&#43;&#43;", "cpp"],
    ["c\\#", "csharp"],
    ['title="app.py"', null],
    ["python:title=x", "python"],
    ["js,a=b", "javascript"],
    ["\u200bpython", "python"],
    ["12factor", null],
    ["日本語", null],
    ["c++{1}", "cpp"],
    ["{.python #id}", "python"],
    ["{#a.b .haskell}", "haskell"],
    ['{title="a .b}c" .go}', "go"],
    ["{ .c++ }", "cpp"],
    ["{r}", "r"],
    ["{r, echo=FALSE}", "r"],
    ["{python", null],
    ["{#only}", null],
    ["{key=value}", null],
    ["{1,3}", null],
    ["pycon", "pycon"],
    ["objective-c", "objective-c"],
    ["constructor", "constructor"],
  ])("%s is %s", (info, language) => {
    expect(languageOf(info)).toBe(language);
  });
});
