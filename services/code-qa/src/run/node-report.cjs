"use strict";
// Loaded before a block: reports on stderr what ended it. Each report is one line between record separators.
const { readFileSync, writeSync } = require("node:fs");
const { dirname, isAbsolute, join } = require("node:path");

const marker = readFileSync(join(__dirname, "marker.txt"), "utf8");
const networkCodes = new Set(
  "ENOTFOUND EAI_AGAIN EAI_FAIL ECONNREFUSED ECONNRESET ENETUNREACH EHOSTUNREACH EADDRNOTAVAIL ENETDOWN".split(
    " ",
  ),
);
const browserNames = new Set(["document", "window", "localStorage", "alert", "navigator"]);
const writing =
  /\b(?:write|append|mkdir|mkdtemp|rm|rmdir|unlink|rename|copyFile|cp|symlink|link|truncate|chmod|utimes|WriteStream)/;

let block = 0;

function write(facts) {
  writeSync(2, `\x1e${marker}${JSON.stringify({ block, ...facts })}\x1e\n`);
}

function isNetworkError(error) {
  if (!(error instanceof Error)) return false;
  if (networkCodes.has(error.code) && typeof error.syscall === "string") return true;
  if (Array.isArray(error.errors) && error.errors.length > 0) return error.errors.every(isNetworkError);
  return isNetworkError(error.cause);
}

function blockedAccess(error) {
  if (error.code === "EROFS") return "blocked_write";
  if (!["ENOENT", "EACCES", "EPERM"].includes(error.code) || typeof error.path !== "string") return null;
  if (!isAbsolute(error.path) || dirname(error.path) === process.cwd()) return null;
  // The name of the call in the stack tells writing from reading; the system call is `open` for both.
  const isWriting =
    error.syscall !== "open" ? writing.test(error.syscall ?? "") : writing.test(error.stack ?? "");
  return isWriting ? "blocked_write" : "blocked_read";
}

function missingName(error) {
  return error instanceof ReferenceError ? (/^(\S+) is not defined/.exec(error.message)?.[1] ?? null) : null;
}

function reasonOf(error) {
  if (error.code === "MODULE_NOT_FOUND" || error.code === "ERR_MODULE_NOT_FOUND") return "missing_dependency";
  if (browserNames.has(missingName(error))) return "needs_browser";
  if (isNetworkError(error)) return "blocked_network";
  return blockedAccess(error);
}

function reportException(error) {
  if (!(error instanceof Error)) {
    write({
      kind: "exception",
      type: "Error",
      message: String(error).slice(0, 2000),
      reason: null,
      missing_name: null,
    });
    return;
  }
  write({
    kind: "exception",
    type: error.name,
    message: String(error.message).split("\nRequire stack:")[0].slice(0, 2000),
    reason: reasonOf(error),
    missing_name: missingName(error),
    redeclared: error instanceof SyntaxError && /has already been declared/.test(error.message),
  });
}

process.on("uncaughtExceptionMonitor", reportException);

// What transpiled TypeScript decorators call.
globalThis.babelHelpers = {
  decorate(decorators, target, key, descriptor) {
    let result =
      key === undefined
        ? target
        : descriptor === null
          ? Object.getOwnPropertyDescriptor(target, key)
          : descriptor;
    for (const decorator of decorators.toReversed()) {
      result = (key === undefined ? decorator(result) : decorator(target, key, result)) || result;
    }
    if (key !== undefined && result) Object.defineProperty(target, key, result);
    return result;
  },
  decorateParam: (index, decorator) => (target, key) => decorator(target, key, index),
  decorateMetadata: () => () => undefined,
};

module.exports = {
  write,
  reportException,
  enter(number) {
    block = number;
  },
};
