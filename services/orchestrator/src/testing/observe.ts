import { type ObjectStore, openRunArtifacts, readObject, sha256Of } from "@proofroom/artifacts";
import { attemptSchema, type Outcome, outcomeSchema, stepRecordSchema } from "@proofroom/contracts";
import type { connect } from "@proofroom/queue";
import { openLedger } from "@proofroom/runtime/records";

type Connection = ReturnType<typeof connect>;

async function readJson(store: ObjectStore, key: string): Promise<unknown> {
  return JSON.parse(Buffer.from(await readObject(store, key)).toString("utf8"));
}

async function keysOf(store: ObjectStore, prefix: string): Promise<{ key: string; modified: Date }[]> {
  const keys = [];
  for await (const { key, modified } of store.list(prefix)) keys.push({ key, modified });
  return keys;
}

/** How many steps, children included, stand finished in the whole store. */
export async function countRecords(store: ObjectStore): Promise<number> {
  const keys = await keysOf(store, "runs/");
  return keys.filter(({ key }) => /\/ledger\/(?:steps|children\/[^/]+\/records)\/[^/]+\.json$/.test(key))
    .length;
}

/** What a reader of the run is left with: how it ended, and the newest version of each artifact by its hash. */
export async function resultOf(store: ObjectStore, runId: string) {
  const outcome = await openLedger(store, runId).outcome();
  const artifacts = openRunArtifacts(store, runId);
  const files: Record<string, string> = {};
  for (const name of [...(await artifacts.heads()).keys()].sort()) {
    const head = await artifacts.latest(name);
    files[name] = head?.sha256 ?? "";
  }
  const { status, step = null, article = null } = outcome ?? { status: null };
  return { status, step, article, files };
}

/** Everything that is wrong with the chains of a run's artifacts, in words. */
export async function brokenChains(store: ObjectStore, runId: string): Promise<string[]> {
  const broken: string[] = [];
  const artifacts = openRunArtifacts(store, runId);
  for (const [name, head] of await artifacts.heads()) {
    for (let n = 1; n <= head; n += 1) {
      const version = await artifacts.version(name, n).catch(() => null);
      if (version === null) broken.push(`${runId} ${name}: version ${n} of ${head} is missing`);
      else
        await artifacts
          .read(name, version)
          .catch(() => broken.push(`${runId} ${name}@${n}: its content is not there`));
    }
    const visible = await artifacts.readPlain(name);
    const newest = await artifacts.version(name, head);
    if (visible === null || sha256Of(visible) !== newest.sha256)
      broken.push(`${runId} ${name}: not what is newest`);
  }
  return broken;
}

export interface Executions {
  records: number;
  started: number;
  failed: number;
  /** Executions that ran although the step stood finished, or the run had ended. */
  tooLate: string[];
}

/**
 * A worker looks for the record, notes its start, and looks again. One that is killed between the two, while another finishes
 * the step, leaves a start that nothing follows; in milliseconds.
 */
const justMissed = 100;

/** Counts the executions of a run, and names those that should not have been. */
export async function executionsOf(store: ObjectStore, runId: string): Promise<Executions> {
  const base = `runs/${runId}/.nova/`;
  const finished = new Map<string, number>();
  const starts: { step: string; attempt: string; at: number }[] = [];
  /** Executions that ended before their handler began, or were stopped when they wanted to write. */
  const ceded = new Set<string>();
  let failed = 0;
  for (const { key, modified } of await keysOf(store, `${base}ledger/`)) {
    const record = /\/(?:steps|records)\/([^/]+)\.json$/.exec(key)?.[1];
    const attempt = /\/attempts\/([^/]+)\/[^/]+\.started\.json$/.exec(key)?.[1];
    if (record !== undefined) {
      stepRecordSchema.parse(await readJson(store, key));
      finished.set(record, modified.getTime());
    } else if (attempt !== undefined) {
      const start = attemptSchema.parse(await readJson(store, key));
      starts.push({ step: attempt, attempt: start.attempt, at: Date.parse(start.at) });
    } else if (key.endsWith(".failed.json")) {
      const failure = attemptSchema.parse(await readJson(store, key));
      if (failure.error?.code === "cancelled") ceded.add(failure.attempt);
      failed += 1;
    }
  }
  const outcomes: Outcome[] = [];
  for (const { key } of await keysOf(store, `${base}run/outcomes/`))
    outcomes.push(outcomeSchema.parse(await readJson(store, key)));
  const ended = Math.max(...outcomes.map(({ at }) => Date.parse(at)));
  const tooLate = starts.flatMap(({ step, attempt, at }) => {
    if (ceded.has(attempt)) return [];
    const since = at - (finished.get(step) ?? Number.POSITIVE_INFINITY);
    if (since > justMissed) return [`${runId} ${step} began ${since} ms after it was finished`];
    return at > ended ? [`${runId} ${step} began ${at - ended} ms after the run had ended`] : [];
  });
  return { records: finished.size, started: starts.length, failed, tooLate };
}

export interface QueueFacts {
  /** Jobs that have not ended, by state. */
  open: Record<string, number>;
  /** Bytes of the largest job data and the largest return value. */
  largest: number;
  /** Entries of the longest stream of queue events. */
  longestStream: number;
}

/** Looks at all queues in Redis, by the keys that BullMQ uses. */
export async function queueFacts(connection: Connection): Promise<QueueFacts> {
  const facts: QueueFacts = { open: {}, largest: 0, longestStream: 0 };
  for (const key of await connection.keys("{proofroom}:*")) {
    const name = key.slice(key.lastIndexOf(":") + 1);
    const type = await connection.type(key);
    const count =
      type === "list" ? await connection.llen(key) : type === "zset" ? await connection.zcard(key) : 0;
    if (["active", "wait", "delayed", "waiting-children", "prioritized"].includes(name) && count > 0)
      facts.open[name] = (facts.open[name] ?? 0) + count;
    if (type === "stream" && name === "events")
      facts.longestStream = Math.max(facts.longestStream, await connection.xlen(key));
    if (type !== "hash" || !name.startsWith("run_")) continue;
    const [data, value] = await connection.hmget(key, "data", "returnvalue");
    facts.largest = Math.max(facts.largest, Buffer.byteLength(data ?? ""), Buffer.byteLength(value ?? ""));
  }
  return facts;
}
