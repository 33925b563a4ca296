import type { Check } from "./check.ts";
import { environmentRule } from "./environment-rule.ts";
import { importRules } from "./import-rules.ts";
import { toolCheck } from "./tool.ts";

/** Everything that is checked without running the product. */
export const staticChecks: readonly Check[] = [
  toolCheck("types", "typescript/bin/tsc", ["--noEmit", "-p", "."]),
  toolCheck("format and lint", "@biomejs/biome/bin/biome", ["ci", "--colors=off", "."]),
  toolCheck("unused files, exports and dependencies", "knip/bin/knip.js", [
    "--no-progress",
    "--no-config-hints",
  ]),
  toolCheck("undeclared dependencies", "knip/bin/knip.js", [
    "--no-progress",
    "--strict",
    "--include",
    "unlisted",
  ]),
  importRules,
  environmentRule,
];
