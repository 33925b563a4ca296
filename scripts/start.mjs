import { launch } from "./lib/launch.mjs";

const given = process.argv.slice(2);

await launch("services/cli/src/main.ts", given.length > 0 ? given : ["write", "--example"]);
