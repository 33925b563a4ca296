import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = import.meta.dirname;
const files = globSync("**/*.ts", { cwd: source }).filter((file) => !/\.test\.ts$|^testing\//.test(file));
const text = files.map((file) => readFileSync(join(source, file), "utf8")).join("\n");

// Whoever begins to use one of these writes the test of what goes wrong with it.
it.each([
  ["waits for a job by listening, which hangs once the job is removed", /waitUntilFinished|QueueEvents/],
  ["deduplicates by keys of BullMQ, one of which may outlive an outage", /deduplication|keepLastIfActive/],
  ["has a scheduler of BullMQ tick, which restarts stop or double", /JobScheduler|repeat:/],
  [
    "runs a processor in BullMQ's sandbox, whose pool a failing import poisons",
    /useWorkerThreads|processFile/,
  ],
  ["adds a flow at once, which says nothing of a child that another parent has", /FlowProducer/],
  ["lets a parent begin before its children are through", /continueParentOnFailure/],
  ["has BullMQ write spans, which hold results", /telemetry:|bullmq-otel/],
  ["pauses a queue, whose jobs then look like a backlog", /\.pause\(/],
])("nothing here %s", (_what, part) => {
  expect(files.length).toBeGreaterThan(20);
  expect(text).not.toMatch(part);
});
