import { expect, test } from "vitest";
import { environmentReads } from "./checks/environment-rule.ts";

test.each([
  ["process.env.HOME", [1]],
  ["\nconst home = process.env['HOME'];", [2]],
  ["process['env']", [1]],
  ["globalThis.process.env", [1]],
  ["const { env } = process;", [1]],
  ["const { env: settings, pid } = process;", [1]],
  ["const { ...everything } = process;", [1]],
  ['import { env } from "node:process";', [1]],
  ['import { env as settings } from "process";', [1]],
  ['import process from "node:process";\n\nrun(process.env);', [3]],
  ["// process.env is not read here\nconst text = 'process.env';", []],
  ["const { pid } = process;\nconst env = options.env;", []],
])("%s", (source, lines) => {
  expect(environmentReads(source)).toEqual(lines);
});
