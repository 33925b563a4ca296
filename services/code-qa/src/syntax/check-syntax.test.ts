import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPython } from "../sandbox/interpreters.ts";
import { createSyntaxChecker, type SyntaxChecker } from "./check-syntax.ts";
import python from "./fixtures/python-syntax.json" with { type: "json" };
import { PythonHelper } from "./python-helper.ts";

const signal = new AbortController().signal;
let helper: PythonHelper;
let check: SyntaxChecker;
let version: readonly [number, number];

beforeAll(async () => {
  const found = await findPython(signal);
  if (found === null) throw new Error("python3 (3.9 or newer) is not installed in the usual places");
  version = found.version;
  helper = new PythonHelper(found);
  check = createSyntaxChecker(helper);
});

afterAll(async () => {
  await helper?.close();
});

describe("python", () => {
  test.each(python.cases)("$id is judged as Python does", async ({ id, code, kind, cpython_3_11 }) => {
    // A transcript is a kind of its own, so its prompt is no error.
    if (id === "repl") expect((await check("text", code, signal)).syntax).toBe("unchecked");
    else {
      const report = await check("python", code, signal);
      const states = kind === "bad" ? ["invalid"] : version[1] > 11 ? ["valid", "needs_python"] : [];
      if (states.length > 0) expect(states, report.error ?? "").toContain(report.syntax);
      else
        expect(report.syntax, report.error ?? "").toBe(cpython_3_11 === "valid" ? "valid" : "needs_python");
    }
  });

  test.each([
    ["t-string", "name = 'x'\nprint(t'{name!r:>{1 + 1}}')"],
    ["f-string over lines", "f'''{\n  x['a']  # why\n}'''\ntype A = int"],
    ["generic method", "class A[T: (int, str), *Ts, **P](Base):\n    async def f[U](self) -> U: ..."],
    ["quote in format", "print(f\"{x['a']:{'>'}10} {\"\\n\".join(y)}\")"],
  ])("newer syntax is told from wrong syntax: %s", async (_, code) => {
    const { syntax } = await check("python", code, signal);
    expect(["needs_python", "valid"]).toContain(syntax);
    expect((await check("python", `${code}\nx = = 1`, signal)).syntax).toBe("invalid");
  });

  test.each([
    ["f'{x['a']'", "unclosed field"],
    ["type X = int\nf'{a b}'", "bad expression"],
    ["def f[T](x: T) -> T return x", "missing colon"],
    ["try: pass\nexcept ValueError, error: pass", "Python 2 except"],
  ])("%j stays invalid (%s)", async (code) => {
    expect((await check("python", code, signal)).syntax).toBe("invalid");
  });

  test("source that kills the parser is invalid, and the next question is answered", async () => {
    const crash = `x = ${"-".repeat(200_000)}1`;
    expect((await check("python", crash, signal)).syntax).toBe("invalid");
    expect((await check("python", "x = 1", signal)).syntax).toBe("valid");
  });

  test("nothing of the source is executed", async () => {
    const code = "import os\nos._exit(9)";
    expect((await check("python", code, signal)).syntax).toBe("valid");
    expect((await check("pycon", ">>> import os\n>>> os._exit(9)", signal)).syntax).toBe("valid");
  });

  test("many questions at once are each answered for themselves", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => check("python", at % 2 ? "x = 1" : "x = =", signal)),
    );
    expect(answers.map((answer) => answer.syntax)).toEqual(
      Array.from({ length: 40 }, (_, at) => (at % 2 ? "valid" : "invalid")),
    );
  });

  test("a transcript's error is on the line of its example", async () => {
    const report = await check("python", ">>> x = 1\n>>> x\n1\n>>> y = (\n", signal);
    expect(report).toMatchObject({ syntax: "invalid", error_line: 4 });
    expect((await check("python", "\n>>> 1 +\n", signal)).error_line).toBe(2);
  });

  test("aborting rejects and leaves the helper usable", async () => {
    const controller = new AbortController();
    const pending = check("python", "x = 1", controller.signal);
    controller.abort();
    await expect(pending).rejects.toThrow();
    expect((await check("python", "x = 1", signal)).syntax).toBe("valid");
  });
});

describe("other languages", () => {
  test.each([
    ["javascript", "import fs from 'fs'\nexport const a = await 1", "valid", null],
    ["javascript", "if (x) return\nrequire('a')", "valid", null],
    ["javascript", "await fetch(u)", "valid", null],
    ["javascript", "const a = 1\nconst a = 2", "invalid", 2],
    ["javascript", "const el = <div/>", "invalid", 1],
    ["javascript", "let x: number = 1", "invalid", 1],
    ["javascript", "import a from 'a'\nreturn 1", "invalid", 2],
    ["typescript", "enum A { B = 1 }\nnamespace N { export const x = 1 }", "valid", null],
    ["typescript", "const a: = 1", "invalid", 1],
    ["typescript", "class P { constructor(private a: string) {} }", "valid", null],
    ["json", '{"a": [1, 2.5e0, null]}', "valid", null],
    ["json", '{\n  "a": NaN\n}', "invalid", 2],
    ["json", '{\n  // why\n  "a": 1\n}', "invalid", 2],
    ["json", '{\n"a": 1,\n}', "invalid", 3],
    ["json", "{'a': 1}", "invalid", 1],
    ["jsonc", '{\n  // why\n  "a": 1, /* b */\n}', "valid", null],
    ["jsonc", '{"a": }', "invalid", 1],
    ["yaml", "a: 1\n---\nb: 2\n", "valid", null],
    ["yaml", "a: 1\nb: 2\na: 3", "invalid", 3],
    ["yaml", "a:\n\tb: 1", "invalid", 2],
    ["yaml", "a: *b", "invalid", 1],
    ["yaml", "A: !Ref b\nx: &b 1\ny: *b", "valid", null],
    ["toml", 'a = 1\n[b]\nc = "d"', "valid", null],
    ["toml", "a = 1\na = 2", "invalid", 2],
    ["toml", "[a]\nb = c", "invalid", 2],
    ["toml", "a = { b = 1,\n c = 2 }", "invalid", 1],
    ["toml", "a = 1\nb = { c = 1, }", "invalid", 2],
    ["toml", 'a = "\\e"', "invalid", 1],
    ["toml", "a = 07:32", "invalid", 1],
    [
      "toml",
      "a = [\n 1, # {\n 2,\n]\nb = { c = [\n1\n], d = '\\e' }\ne = \"\\\\e {\"\nf = 1979-05-27T07:32:00+07:00\ng = 9007199254740993",
      "valid",
      null,
    ],
    ["toml", 'a = """\n"x" {\n\\""" """"\nb = 07:32:00', "valid", null],
    ["javascript", "x\n@dec class A {}", "invalid", 2],
    ["typescript", "@dec class A { @p b = 1 }", "valid", null],
    ["bash", 'for f in *; do\n  echo "$f"\ndone', "valid", null],
    ["bash", "if true; then\n  ls", "invalid", 2],
    ["bash", 'echo "unterminated', "invalid", 1],
    ["bash", "$ npm i\nadded 1 package (\n$ ls -l", "valid", null],
    ["bash", "$ ls\nout (\n$ echo (", "invalid", 3],
    ["rust", "fn main( {", "unchecked", null],
    [null, "anything ((", "unchecked", null],
  ])("%s %j is %s", async (language, code, syntax, line) => {
    const report = await check(language, code, signal);
    expect(report.syntax, report.error ?? "").toBe(syntax);
    expect(report.error_line).toBe(line);
    expect(report.error === null).toBe(syntax !== "invalid");
  });
});
