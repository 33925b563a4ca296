import { abortOnSignals } from "./abort-on-signals.ts";
import { checkoutFolder } from "./check.ts";
import { runChecks } from "./run-checks.ts";
import { testServers } from "./test-servers.ts";
import { vitestProject } from "./vitest-project.ts";

/** Suites that are run with their servers in containers too: what they hold of Redis and of S3 must not depend on a process. */
const onContainers = [
  "shared/queue/src/event-hub.integration.test.ts",
  "shared/queue/src/queue-inspector.integration.test.ts",
  "shared/artifacts/src/s3/s3-store.integration.test.ts",
  "shared/artifacts/src/prepare-store.integration.test.ts",
];

/** The tests that need a container engine, at DOCKER_HOST, and the images of the compose file; MINIO_IMAGE is its S3 server's. */
const print = (line: string) => process.stdout.write(`${line}\n`);
const show = (text: string) => process.stdout.write(text);
const filters = process.argv.slice(2);
print(testServers(process.env));
const projects = [vitestProject("containers", filters, show)];
if (filters.length === 0) projects.push(vitestProject("integration", onContainers, show));
const options = { root: checkoutFolder, signal: abortOnSignals(), atOnce: 1, print };
const { passed, failed } = await runChecks(projects, options);
print(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
