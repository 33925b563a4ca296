import vm from "node:vm";
import { expect, test } from "vitest";
import { sharedScope } from "./shared-scope.ts";

async function evaluate(...blocks: [code: string, kind: "module" | "script"][]): Promise<unknown> {
  const context = vm.createContext({ log: [] as unknown[], setTimeout });
  for (const [code, kind] of blocks) await vm.runInContext(await sharedScope(code, kind), context);
  return context["log"];
}

test.each([
  ["const a = 1\nlet b\nvar c = 3", "log.push(a, b, c)", [1, undefined, 3]],
  ["const { x, y: [z], ...rest } = { x: 1, y: [2], w: 3 }", "log.push(x, z, rest.w)", [1, 2, 3]],
  ["export class A { v = 1 }\nclass B extends A {}", "log.push(new B().v)", [1]],
  ["export default function f() { return 5 }\nexport { f as g }", "log.push(f())", [5]],
  ["export async function f() { return 5 }", "log.push(await f())", [5]],
  ["const a = 1\n;[a].forEach((n) => log.push(n))\nexport {}", "log.push(a)", [1, 1]],
  ["const f = () => 1\nexport default f", "log.push(f())", [1]],
  ["export let n = 0\nexport const up = () => { n += 1 }", "up()\nlog.push(n)", [1]],
])("what %j declares, %j sees", async (first, second, expected) => {
  expect(await evaluate([first, "module"], [second, "module"])).toEqual(expected);
});

test("a script without top-level return stays as it is", async () => {
  const code = "const a = 1 // why\n  ;[a]\n";
  expect(await sharedScope(code, "script")).toBe(code);
});

test("top-level return ends the block and keeps what it declared", async () => {
  expect(
    await evaluate(["const a = 1\nif (a) return\nlog.push('no')", "script"], ["log.push(a)", "script"]),
  ).toEqual([1]);
});

test("lines stay where they are", async () => {
  const code = "import {\n  a,\n  b\n} from 'x'\nexport const c = 1,\n  d = 2\nthrow new Error('here')";
  const line = (text: string) => text.split("\n").findIndex((one) => one.includes("throw new Error"));
  expect(line(await sharedScope(code, "module"))).toBe(line(code));
});
