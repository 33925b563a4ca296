import { extractFences } from "@proofroom/markdown";
import { silentLogger } from "@proofroom/telemetry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CodeTools, openCodeTools } from "../code-tools.ts";
import { type BlockResult, groupsOf, runBlocks } from "./run-blocks.ts";

const signal = new AbortController().signal;
let tools: CodeTools;

beforeAll(async () => {
  tools = await openCodeTools({ log: silentLogger(), signal });
  if (tools.driver.name === "none") {
    throw new Error(
      "No sandbox passed its self-test: install bubblewrap and python3, allow user namespaces.",
    );
  }
});

afterAll(async () => {
  await tools?.close();
});

async function check(
  language: string,
  codes: readonly string[],
  options: { run?: boolean; only?: number[] } = {},
) {
  const markdown = codes.map((code) => `\`\`\`${language}\n${code}\n\`\`\`\n`).join("\nThen:\n\n");
  return await runBlocks(markdown, extractFences(markdown), {
    ...tools,
    run: options.run ?? true,
    ...(options.only === undefined ? {} : { only: new Set(options.only) }),
    signal,
  });
}

const outcome = ({ run, reason }: BlockResult) => (reason === null ? run : `${run} ${reason}`);

describe("why a block fails or is skipped", () => {
  test.each([
    ["open('/etc/passwd').read()", "failed blocked_read"],
    ["open('/tmp/elsewhere/secret.txt')", "failed blocked_read"],
    ["open('missing.csv')", "failed exception"],
    ["open('/var/log/x.log', 'w')", "failed blocked_write"],
    ["import os\nos.makedirs('/opt/x/y')", "failed blocked_write"],
    ["import socket\nsocket.create_connection(('127.0.0.1', 80))", "failed blocked_network"],
    ["import asyncio\nasyncio.run(asyncio.open_connection('example.com', 80))", "failed blocked_network"],
    ["raise ConnectionError('made up')", "failed exception"],
    ["x = bytearray(3 * 1024**3)", "failed memory_limit"],
    ["a = []\nwhile True: a.append(bytearray(10_000_000))", "failed memory_limit"],
    ["import os\nos.kill(os.getpid(), 9)", "failed crashed"],
    ["while True: print('x' * 100_000)", "failed output_limit"],
    ["import getpass\ngetpass.getpass()", "skipped needs_input"],
    ["raise EOFError('mine')", "failed exception"],
    ["import os\nos.environ['A_KEY']", "skipped needs_env"],
    ["{}['a']", "failed exception"],
    ["import my_project.sub", "skipped missing_dependency"],
    ["from . import x", "failed exception"],
    ["import xml.nope", "failed exception"],
    ["from os import nope", "failed exception"],
    ["import sys\nsys.exit('bad')", "failed exit_code"],
    ["print('\\ud800')", "failed exception"],
    ["import sys\nassert sys.argv == [__file__] and __name__ == '__main__'", "passed"],
    ["import inspect\ndef f(): pass\nassert 'def f' in inspect.getsource(f)", "passed"],
    ["import pickle\nclass A: pass\npickle.loads(pickle.dumps(A()))", "passed"],
    ["open('helper.py', 'w').write('x = 1')\nimport helper", "passed"],
    ["import importlib\nimportlib.util", "failed exception"],
  ])("python %j: %s", async (code, expected) => {
    const results = await check("python", [code]);
    expect(results.map(outcome), results[0]?.stderr).toEqual([expected]);
  });

  test.each([
    ["await fetch('https://example.com')", "failed blocked_network"],
    ["require('net').connect(1234, '127.0.0.1')", "failed blocked_network"],
    ["require('fs').writeFileSync('/usr/x', '1')", "failed blocked_write"],
    ["require('fs').promises.writeFile('/var/x', '1')", "failed blocked_write"],
    ["require('fs').readFileSync('/etc/passwd')", "failed blocked_read"],
    ["require('fs').readFileSync('missing.txt')", "failed exception"],
    ["process.exit(5)", "failed exit_code"],
    ["navigator.clipboard.writeText('x')", "skipped needs_browser"],
    ["import x from './lib.js'", "skipped missing_dependency"],
    ["require('node:nope')", "failed exception"],
    ["throw 'text'", "failed exception"],
    ["const a = []\nwhile (true) a.push(new Array(1e6).fill(1))", "failed memory_limit"],
    ["process.abort()", "failed crashed"],
  ])("javascript %j: %s", async (code, expected) => {
    const results = await check("js", [code]);
    expect(results.map(outcome), results[0]?.stderr).toEqual([expected]);
  });
});

describe("state that blocks share", () => {
  test.each([
    ["python", ["import sys\nA = 1\nsys.exit(0)", "print(A)"], "1\n"],
    ["python", ["open('data.txt', 'w').write('hi')", "print(open('data.txt').read())"], "hi\n"],
    ["python", ["def sq(x):\n    return x * x", ">>> r = sq(4)\n>>> r\n16", "print(r)"], "16\n"],
    ["python", ["import logging\nprint('noise')\nx = 1", "print(x)"], "1\n"],
    [
      "js",
      [
        "export const x = 1, { y } = { y: 2 }\nexport default function hi() { return 'hi' }\nclass A { v = 3 }",
        "console.log(x, y, hi(), new A().v)",
      ],
      "1 2 hi 3\n",
    ],
    [
      "js",
      [
        "const f = () => 1",
        "import path from 'node:path'\nconsole.log(f(), path.sep, typeof import.meta.url)",
      ],
      "1 / string\n",
    ],
    ["js", ["const load = async () => 41", "const v = await load()", "console.log(v + 1)"], "42\n"],
    [
      "js",
      [
        "setTimeout(() => console.log('late'), 5)\nvar q = 1",
        "console.log(q)\nsetTimeout(() => console.log('mine'), 30)",
      ],
      "1\nmine\n",
    ],
    [
      "js",
      ["const k = 3\nprocess.exit(0)", "if (k) { console.log('ret'); return }\nconsole.log('no')"],
      "ret\n",
    ],
    [
      "ts",
      ["interface U { a: number }\nexport const u: U = { a: 1 }\nenum E { A = 7 }", "console.log(u.a, E.A)"],
      "1 7\n",
    ],
  ])("%s %j: the last block prints its own output only", async (language, codes, stdout) => {
    const results = await check(language, codes);
    expect(results.map(outcome), JSON.stringify(results)).toEqual(codes.map(() => "passed"));
    expect(results.at(-1)?.stdout).toBe(stdout);
    expect(groupsOf(results).at(-1)).toEqual(codes.map((_, at) => at + 1));
  });

  test("where earlier blocks take too long, only those that define the missing names are replayed", async () => {
    const slow = "import time\ntime.sleep(3)";
    const results = await check("python", [
      slow,
      `${slow}\nb = 0`,
      "def h():\n    return b2\nb2 = 4",
      "print(h())",
    ]);
    expect(results.map(outcome)).toEqual(["passed", "passed", "passed", "passed"]);
    expect(results[3]).toMatchObject({ stdout: "4\n", group: [3, 4] });
  });

  test("a const declared twice does not keep a later block from its own definitions", async () => {
    const results = await check("js", ["const a = 1", "const a = 2\nconst b = 3", "console.log(a + b)"]);
    expect(results.map(outcome)).toEqual(["passed", "passed", "passed"]);
    expect(results[2]).toMatchObject({ stdout: "5\n", group: [2, 3] });
  });

  test("names of blocks that did not pass are told from names that nobody defines", async () => {
    const results = await check("python", [
      "def broken(:\n    pass\nvalue = 3",
      "print(value)",
      "print(broken())",
      "import openai\nclient = openai.Client()",
      "client.run()",
      "print(nobody)",
    ]);
    expect(results.map(outcome)).toEqual([
      "not_run syntax_error",
      "skipped prerequisite_not_run",
      "skipped prerequisite_not_run",
      "skipped missing_dependency",
      "skipped prerequisite_not_run",
      "failed exception",
    ]);
  });

  test("JavaScript and TypeScript do not share, Python and its transcripts do", async () => {
    const markdown =
      "```js\nconst x = 1\n```\n\nand\n\n```ts\nconsole.log(x)\n```\n\nand\n\n```py\ny = 2\n```\n\nand\n\n```pycon\n>>> y\n2\n```\n";
    const results = await runBlocks(markdown, extractFences(markdown), { ...tools, run: true, signal });
    expect(results.map(outcome)).toEqual(
      ["passed", "skipped prerequisite_not_run", "passed", "passed"].with(1, "failed exception"),
    );
  });
});

describe("transcripts", () => {
  test.each([
    [">>> 1/0\nTraceback (most recent call last):\n  ...\nZeroDivisionError: division by zero", "passed"],
    [">>> print('a b')\na  b", "failed output_mismatch"],
    [">>> print('a  b') # doctest: +NORMALIZE_WHITESPACE\na b", "passed"],
    [">>> import numpy\n>>> numpy.zeros(1)\narray([0.])", "skipped missing_dependency"],
    [">>> nobody\n1", "failed exception"],
    [">>> x = 1 # doctest: +SKIP\n>>> y # doctest: +SKIP\n2", "skipped marked_no_run"],
    [">>> x = 1 # doctest: +SKIP\n>>> 1 + 1\n2", "passed"],
  ])("%j: %s", async (code, expected) => {
    expect((await check("python", [code])).map(outcome)).toEqual([expected]);
  });
});

describe("what is not run", () => {
  test("blocks that were not asked for say so, whatever the sandbox", async () => {
    const codes = ["print(1)", "x = =", "print(2)"];
    expect((await check("python", codes, { run: false })).map(outcome)).toEqual([
      "not_run not_requested",
      "not_run syntax_error",
      "not_run not_requested",
    ]);
    expect((await check("python", codes, { only: [3] })).map(outcome)).toEqual([
      "not_run not_requested",
      "not_run syntax_error",
      "passed",
    ]);
  });

  test("code for a newer Python is skipped, not failed", async () => {
    const [result] = await check("python", ["print(t'{1}')\ntype X = int"]);
    if (result?.syntax === "needs_python") expect(outcome(result)).toBe("skipped missing_dependency");
    else expect(result?.syntax).toBe("valid");
  });
});
