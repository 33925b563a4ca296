import { launch } from "./lib/launch.mjs";

await launch("scripts/checks/check-main.ts", process.argv.slice(2));
