import { afterAll, beforeAll, expect, test } from "vitest";
import { findPython } from "../sandbox/interpreters.ts";
import { createSyntaxChecker, type SyntaxChecker } from "../syntax/check-syntax.ts";
import { PythonHelper } from "../syntax/python-helper.ts";
import { repairCode } from "./repair-code.ts";

const signal = new AbortController().signal;
let helper: PythonHelper;
let check: SyntaxChecker;

beforeAll(async () => {
  const found = await findPython(signal);
  if (found === null) throw new Error("python3 (3.9 or newer) is not installed in the usual places");
  helper = new PythonHelper(found);
  check = createSyntaxChecker(helper);
});

afterAll(async () => {
  await helper?.close();
});

async function repaired(language: string, code: string): Promise<string | null> {
  const parses = async (text: string) => (await check(language, text, signal)).syntax === "valid";
  return (await repairCode(language, code, parses))?.code ?? null;
}

test("an install line above its import becomes a comment that says what is required", async () => {
  expect(await repaired("python", "pip install google-genai\nfrom google import genai\n")).toBe(
    "# Requires: pip install google-genai\nfrom google import genai\n",
  );
});

test.each([
  ["!pip install -q httpx\nimport sys", "# Requires: pip install -q httpx\nimport sys"],
  ["%pip install httpx", "# Requires: pip install httpx"],
  ["$ python -m pip install httpx", "# Requires: python -m pip install httpx"],
  ["uv add httpx\nx = 1", "# Requires: uv add httpx\nx = 1"],
  ["if True:\n    !pip install a\n    x = 1", "if True:\n    # Requires: pip install a\n    x = 1"],
  ["%matplotlib inline\nimport math", "# Notebook: %matplotlib inline\nimport math"],
  ["!ls -l\nx = 1", "# Shell: ls -l\nx = 1"],
  ["$ python app.py\nx = 1", "# Shell: python app.py\nx = 1"],
  ["%%time\nx = 1", "# Notebook: %%time\nx = 1"],
  ["x = 1\nx?", "x = 1\n# Notebook: x?"],
  ["print(“hi”)", 'print("hi")'],
  ["x\u00a0= 1\u200b", "x = 1"],
  ["x = 3 − 2", "x = 3 - 2"],
  ["import math\n>>> x = 2\n>>> x\n2", "import math\nx = 2\nx\n# 2"],
])("python %j is mended", async (code, mended) => {
  expect(await repaired("python", code)).toBe(mended);
});

test("text in strings is left alone where another repair is enough", async () => {
  expect(await repaired("python", "pip install a\nprint('It’s “fine”')")).toBe(
    "# Requires: pip install a\nprint('It’s “fine”')",
  );
});

test("where one repair is enough, the others change nothing", async () => {
  const code = (space: string) => `"""\npip install a\n"""\nx${space}= 1`;
  expect(await repaired("python", code("\u00a0"))).toBe(code(" "));
});

test("install lines and quotes are mended in JavaScript and JSON as well", async () => {
  expect(await repaired("javascript", "npm install express\nconst a = 1")).toBe(
    "// Requires: npm install express\nconst a = 1",
  );
  expect(await repaired("json", "{ “a”: 1 }")).toBe('{ "a": 1 }');
});

test.each([
  ["python", "%%bash\nls -l"],
  ["python", "x = = 1"],
  ["python", "pip install a\nx = = 1"],
  ["json", '{ "a": 1, }'],
  ["rust", "pip install a"],
])("%s %j is not claimed to be mended", async (language, code) => {
  expect(await repaired(language, code)).toBeNull();
});

test("every repair says what it did", async () => {
  const parses = async (text: string) => (await check("python", text, signal)).syntax === "valid";
  const result = await repairCode("python", "pip install a\n%matplotlib inline\nx = 1", parses);
  expect(result?.done).toEqual(["install lines became comments", "notebook magics became comments"]);
});
