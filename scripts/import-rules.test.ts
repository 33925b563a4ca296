import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkoutFolder } from "./checks/check.ts";
import { cruise } from "./checks/import-rules.ts";

/** The layers, written down a second time: what each shared package may import of the others. */
const layers: Record<string, string[]> = {
  contracts: [],
  access: ["contracts"],
  config: [],
  telemetry: ["config"],
  artifacts: ["contracts", "telemetry"],
  markdown: ["contracts", "telemetry"],
  evidence: ["artifacts", "contracts", "markdown"],
  models: ["artifacts", "contracts", "telemetry"],
  queue: ["contracts", "telemetry"],
  runtime: ["artifacts", "contracts", "queue", "telemetry"],
  hosting: ["artifacts", "config", "contracts", "models", "queue", "runtime", "telemetry"],
};
const sharedPackages = [...Object.keys(layers), "testing"];
const services = ["research", "writer", "cli", "gateway-rest"];

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "import-rules-")));
  write("tsconfig.json", "{}");
  for (const name of sharedPackages) makePackage("shared", name);
  for (const name of services) makePackage("services", name);
  write("scripts/chore.ts", "export const chore = 1;\n");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function makePackage(kind: string, name: string): void {
  write(
    `${kind}/${name}/package.json`,
    JSON.stringify({ name: `@proofroom/${name}`, exports: { ".": "./src/index.ts" } }),
  );
  write(`${kind}/${name}/src/index.ts`, "export const value = 1;\n");
  write(`${kind}/${name}/src/inner.ts`, "export const inner = 1;\nexport type Inner = number;\n");
  mkdirSync(join(folder, "node_modules/@proofroom"), { recursive: true });
  symlinkSync(join(folder, kind, name), join(folder, "node_modules/@proofroom", name));
}

function installed(name: string): void {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: "index.js" }));
  write(`node_modules/${name}/index.js`, "module.exports = {};\n");
}

/** Rules reported per importing file. */
async function reported(): Promise<Record<string, string[]>> {
  const { violations } = await cruise(folder, { root: checkoutFolder, signal: AbortSignal.timeout(60_000) });
  const rules: Record<string, string[]> = {};
  for (const { rule, from } of violations) rules[from] = [...new Set([...(rules[from] ?? []), rule])].sort();
  return rules;
}

const imports = (specifier: string) => `import { value } from "${specifier}";\nexport const used = value;\n`;

/** One file for each forbidden kind of import: where it lies, what it says, the rules that must report it (a ring is reported once). */
const planted: [file: string, source: string, ...rules: string[]][] = [
  ["shared/queue/src/up.ts", imports("@proofroom/writer"), "shared-not-to-services"],
  ["services/research/src/other.ts", imports("@proofroom/writer"), "services-apart"],
  [
    "services/research/src/lazy.ts",
    'export const lazy = () => import("@proofroom/writer");\n',
    "services-apart",
  ],
  ["services/cli/src/deep.ts", 'export { inner } from "../../writer/src/inner.ts";\n', "public-index-only"],
  [
    "services/writer/src/deep.ts",
    'export { inner } from "../../../shared/queue/src/inner.ts";\n',
    "public-index-only",
  ],
  [
    "services/writer/src/only-type.ts",
    'export type { Inner } from "../../../shared/queue/src/inner.ts";\n',
    "public-index-only",
  ],
  ["services/writer/src/faking.ts", imports("@proofroom/testing"), "testing-only-in-tests"],
  ["services/gateway-rest/src/model.ts", imports("@proofroom/models"), "gateways-without-models"],
  ["services/writer/src/hosted.ts", imports("@proofroom/hosting"), "hosting-by-programs"],
  ["services/gateway-rest/src/main.ts", imports("@proofroom/hosting"), "gateways-without-workshop"],
  ["services/writer/src/http.ts", imports("fastify"), "workers-without-servers"],
  ["services/writer/src/plugin.ts", imports("@fastify/static"), "workers-without-servers"],
  ["services/research/src/mcp.ts", imports("@modelcontextprotocol/server"), "workers-without-servers"],
  ["services/writer/src/queue.ts", imports("bullmq"), "queue-owns-bullmq"],
  ["shared/runtime/src/redis.ts", imports("ioredis"), "queue-owns-bullmq"],
  ["services/writer/src/s3.ts", imports("@aws-sdk/client-s3"), "artifacts-owns-aws-sdk"],
  ["services/writer/src/spans.ts", imports("@opentelemetry/api"), "telemetry-owns-opentelemetry"],
  [
    "services/writer/src/chore.ts",
    'export { chore } from "../../../scripts/chore.ts";\n',
    "scripts-not-imported",
  ],
  ["shared/markdown/src/ring-a.ts", 'export { b } from "./ring-b.ts";\nexport const a = 1;\n', "no-cycles"],
  ["shared/markdown/src/ring-b.ts", 'export { a } from "./ring-a.ts";\nexport const b = 1;\n'],
  ["services/writer/src/lost.ts", imports("./nowhere.ts"), "resolvable"],
  ["shared/novel/src/index.ts", imports("@proofroom/contracts"), "layer-unknown"],
  ["shared/testing/src/wide.ts", imports("@proofroom/evidence"), "layer-testing"],
  ["services/writer/src/a.test.ts", "export const value = 1;\n"],
  ["services/writer/src/reuse.ts", imports("./a.test.ts"), "tests-not-imported"],
  ["services/writer/src/testing/shared.ts", "export const value = 1;\n"],
  ["services/writer/src/borrow.ts", imports("./testing/shared.ts"), "test-folders-only-in-tests"],
];
const libraries = [
  "fastify",
  "@fastify/static",
  "@modelcontextprotocol/server",
  "bullmq",
  "ioredis",
  "@opentelemetry/api",
  "@aws-sdk/client-s3",
];

describe("import rules", () => {
  test("each forbidden kind of import is reported by its rule, and by no other", async () => {
    for (const name of libraries) installed(name);
    for (const [file, source] of planted) write(file, source);
    const expected = planted
      .filter(([, , ...rules]) => rules.length > 0)
      .map(([file, , ...rules]) => [file, rules]);
    expect(await reported()).toEqual(Object.fromEntries(expected));
  });

  test("each import against the layers is reported, each along them is not", async () => {
    const expected: Record<string, string[]> = {};
    for (const [from, allowed] of Object.entries(layers)) {
      for (const to of Object.keys(layers)) {
        if (to === from) continue;
        const file = `shared/${from}/src/on-${to}.ts`;
        write(file, imports(`@proofroom/${to}`));
        if (!allowed.includes(to)) expected[file] = [`layer-${from}`];
      }
    }
    expect(await reported()).toEqual(expected);
  });

  test("what the design allows is not reported", async () => {
    for (const name of libraries) installed(name);
    write("shared/queue/src/own.ts", `${imports("bullmq")}export * from "ioredis";\n`);
    write("shared/artifacts/src/own.ts", imports("@aws-sdk/client-s3"));
    write("shared/telemetry/src/own.ts", imports("@opentelemetry/api"));
    write("services/gateway-rest/src/own.ts", imports("fastify"));
    write("services/cli/src/compose.ts", imports("@proofroom/writer"));
    write("services/cli/bin/proofroom.mjs", 'export { chore } from "../../../scripts/chore.ts";\n');
    write("services/writer/src/own.test.ts", imports("@proofroom/testing"));
    write("services/writer/src/testing/run.ts", imports("@proofroom/testing"));
    expect(await reported()).toEqual({});
  });

  test("no rule is left without a planted fault", () => {
    const config = createRequire(import.meta.url)("../.dependency-cruiser.cjs");
    const names = config.forbidden.map((rule: { name: string }) => rule.name);
    const tested = [
      ...planted.flatMap(([, , ...rules]) => rules),
      ...Object.keys(layers).map((name) => `layer-${name}`),
    ];
    expect(names.filter((name: string) => !tested.includes(name))).toEqual([]);
  });

  test("source that dependency-cruiser does not see is told, since no rule holds for it", async () => {
    const blind = join(folder, "blind");
    write("blind/.dependency-cruiser.cjs", 'module.exports = { options: { exclude: { path: "inner" } } };\n');
    symlinkSync(join(checkoutFolder, "node_modules"), join(blind, "node_modules"));
    const { unseen } = await cruise(folder, { root: blind, signal: AbortSignal.timeout(60_000) });
    expect(unseen).toContain("shared/queue/src/inner.ts");
    expect(unseen).not.toContain("shared/queue/src/index.ts");
  });
});
