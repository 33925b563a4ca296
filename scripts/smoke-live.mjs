import { launch } from "./lib/launch.mjs";

await launch("scripts/smoke-live/main.ts", process.argv.slice(2));
