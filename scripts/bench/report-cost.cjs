// Preloaded into a process that is measured: what it has cost when it ends, as JSON in the file that PROOFROOM_BENCH_REPORT names.
const { readFileSync, writeFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

/** The kernel's clock ticks of /proc, in seconds: Linux tells every program that there are 100 a second. */
const TICK = 0.01;

/** The largest resident memory so far in KiB. The kernel's rusage would hold that of the parent before exec too. */
function peakKiB() {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

/** Processor time of the children that have ended, and theirs, in seconds: fields 16 and 17 of proc(5) stat; 0 elsewhere. */
function childrenSeconds() {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) * TICK;
  } catch {
    return 0;
  }
}

if (isMainThread) {
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    const cost = {
      peakKiB: peakKiB(),
      cpuSeconds: (user + system) / 1e6,
      childrenSeconds: childrenSeconds(),
    };
    writeFileSync(process.env.PROOFROOM_BENCH_REPORT, JSON.stringify(cost));
  });
}
