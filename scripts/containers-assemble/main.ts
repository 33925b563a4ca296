import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { assembleModules, assembleSource } from "./assemble.ts";

const usage =
  "usage: node scripts/containers-assemble/main.ts modules|source FOLDER [--extra PATH]… PACKAGE…\n";

/** Lays out the files of an image; two stages of the Dockerfile run it. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { extra: { type: "string", multiple: true, default: [] } },
});
const [part, into, ...packages] = positionals;
const checkout = fileURLToPath(new URL("../..", import.meta.url));
if (into === undefined || packages.length === 0 || (part !== "modules" && part !== "source")) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else if (part === "modules") assembleModules({ checkout, packages, into });
else assembleSource({ checkout, packages, into }, values.extra);
