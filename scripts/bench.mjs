import { launch } from "./lib/launch.mjs";

await launch("scripts/bench/main.ts", process.argv.slice(2));
