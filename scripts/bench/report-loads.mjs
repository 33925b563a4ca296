// Preloaded into a process: appends the URL of each module that it loads from node_modules, in every thread and in every Node
// that it forks, to the file that PROOFROOM_BENCH_REPORT names, one a line, as it is loaded.
import childProcess from "node:child_process";
import { appendFileSync } from "node:fs";
import { registerHooks, syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";

const file = process.env.PROOFROOM_BENCH_REPORT;

registerHooks({
  load(url, context, nextLoad) {
    if (url.includes("/node_modules/")) appendFileSync(file, `${url}\n`);
    return nextLoad(url, context);
  },
});

const { fork } = childProcess;
childProcess.fork = (module, args, options) => {
  const [given, settings] = Array.isArray(args) ? [args, options] : [[], args];
  const own = settings?.execArgv ?? [];
  const allowed = own.includes("--permission") ? [`--allow-fs-write=${file}`] : [];
  return fork(module, given, {
    ...settings,
    env: { ...(settings?.env ?? process.env), PROOFROOM_BENCH_REPORT: file },
    execArgv: [...own, ...allowed, "--import", fileURLToPath(import.meta.url)],
  });
};
syncBuiltinESMExports();
