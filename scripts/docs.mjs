import { launch } from "./lib/launch.mjs";

await launch("scripts/docs/main.ts", process.argv.slice(2));
