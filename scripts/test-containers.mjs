import { launch } from "./lib/launch.mjs";

await launch("scripts/checks/containers-main.ts", process.argv.slice(2));
