import { abortOnSignals } from "../checks/abort-on-signals.ts";
import { checkoutFolder } from "../checks/check.ts";
import { smokeLive } from "./smoke-live.ts";

const [flag, kept] = process.argv.slice(2);
if (flag !== undefined && (flag !== "--keep" || kept === undefined)) {
  process.stderr.write("usage: npm run smoke:live [-- --keep FOLDER]\n");
  process.exit(2);
}
process.exitCode = await smokeLive({
  root: checkoutFolder,
  cwd: process.env["INIT_CWD"] ?? process.cwd(),
  keep: kept,
  signal: abortOnSignals(),
  print: (line) => process.stdout.write(`${line}\n`),
});
