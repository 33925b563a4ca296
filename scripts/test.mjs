import { launch } from "./lib/launch.mjs";

await launch("scripts/checks/test-main.ts", process.argv.slice(2));
