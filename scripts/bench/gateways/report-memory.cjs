// Preloaded into a process that is measured: answers its parent's questions for what the process holds. To `collect` has all garbage
// collected first, which needs --expose-gc; to `look` does not disturb the process.
const { readdirSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

const MB = 1024 * 1024;

/** 0 where the system is not Linux. */
function openFiles() {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}

function report(id) {
  const { heapUsed, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send({
    id,
    heapMb: heapUsed / MB,
    residentMb: rss / MB,
    openFiles: openFiles(),
    cpuSeconds: (user + system) / 1e6,
  });
}

if (isMainThread && process.send !== undefined) {
  process.on("message", ({ id, how }) => {
    if (how === "look") return report(id);
    globalThis.gc();
    // What the first collection has left to finalizers goes with the second.
    setImmediate(() => {
      globalThis.gc();
      report(id);
    });
  });
  // The process ends when its own work does.
  process.channel.unref();
}
