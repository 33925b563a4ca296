"use strict";
// Runs several blocks in one process, each as a script of its own in the same global scope, as a page runs its script
// elements. Arguments: kind (script, module) and path of every block. Output of all but the last block is dropped.
const { AsyncLocalStorage } = require("node:async_hooks");
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname } = require("node:path");
const { pathToFileURL } = require("node:url");
const vm = require("node:vm");
const report = require("./node-report.cjs");

const scriptNames = ["require", "module", "exports", "__filename", "__dirname"];
const exited = Symbol("exited");

function defineScriptNames(kind, path) {
  for (const name of scriptNames) delete globalThis[name];
  delete globalThis.$importMeta;
  if (kind === "module") {
    globalThis.$importMeta = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) };
    return;
  }
  const module = { exports: {}, filename: path, id: "." };
  Object.assign(globalThis, {
    require: createRequire(path),
    module,
    exports: module.exports,
    __filename: path,
    __dirname: dirname(path),
  });
}

async function main() {
  const args = process.argv.splice(2);
  const running = new AsyncLocalStorage();
  const last = args.length / 2 - 1;
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write;
    stream.write = function (...parts) {
      // What a callback of an earlier block prints later is that block's.
      return (running.getStore() ?? last) === last ? write.apply(this, parts) : true;
    };
  }
  const exit = process.exit;
  for (let number = 0; number <= last; number += 1) {
    const [kind, path] = args.slice(2 * number, 2 * number + 2);
    const source = readFileSync(path, "utf8");
    process.argv[1] = path;
    report.enter(number);
    if (number === last) {
      process.exit = exit;
      report.write({ kind: "start" });
    } else {
      process.exit = () => {
        throw exited;
      };
    }
    defineScriptNames(kind, path);
    try {
      await running.run(number, () =>
        vm.runInThisContext(source, {
          filename: path,
          importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
        }),
      );
    } catch (error) {
      if (error === exited) continue;
      throw error;
    }
  }
}

main();
