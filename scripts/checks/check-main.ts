import { abortOnSignals } from "./abort-on-signals.ts";
import { checkoutFolder } from "./check.ts";
import { runChecks } from "./run-checks.ts";
import { staticChecks } from "./static-checks.ts";
import { vitestProject } from "./vitest-project.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);
const context = { root: checkoutFolder, signal: abortOnSignals(), print };

const checked = await runChecks(staticChecks, { ...context, atOnce: 2 });
const unit = vitestProject("unit", process.argv.slice(2), (text) => process.stdout.write(text));
const tested = await runChecks([unit], { ...context, atOnce: 1 });
process.exitCode = checked.failed + tested.failed > 0 ? 1 : 0;
