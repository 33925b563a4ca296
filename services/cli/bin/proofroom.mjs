#!/usr/bin/env node
import { launch } from "../../../scripts/lib/launch.mjs";

await launch("services/cli/src/main.ts", process.argv.slice(2));
