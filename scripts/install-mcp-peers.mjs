import { fileURLToPath } from "node:url";
import { ensureDependencies, npmCi } from "./lib/dependencies.mjs";

// Installs the clients and test suites of the Model Context Protocol that the tests of the gateway run, where they are
// not there yet or their lock file has changed. They stand apart from the product's own dependencies.

const peers = fileURLToPath(new URL("../services/gateway-mcp/peers", import.meta.url));

try {
  await ensureDependencies(peers, {
    log: (line) => process.stderr.write(`${line}\n`),
    install: (root) => npmCi(root, ["--ignore-scripts"]),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
