import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const checkout = fileURLToPath(new URL("../../..", import.meta.url));
const read = (file: string) => readFileSync(join(checkout, file), "utf8");

/** Where settings are declared: as the keys of schemas, and in the models file. */
const declared = [
  "shared/config/src/*-config.ts",
  "shared/access/src/*config.ts",
  "services/*/src/**/{settings,*-config}.ts",
];

it(".env.example names every setting that is read, and none that is not", () => {
  const files = globSync(declared, { cwd: checkout });
  const keys = files.flatMap((file) => [...read(file).matchAll(/\b([A-Z][A-Z0-9]*_[A-Z0-9_]+):/g)]);
  const named = [...read("infra/models.yaml").matchAll(/_setting: ([A-Z_]+)/g)];
  const settings = new Set([...keys, ...named].map(([, name]) => name));
  // npm sets it.
  settings.delete("INIT_CWD");
  const shown = [...read(".env.example").matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(shown.toSorted()).toEqual([...settings].sort());
});
