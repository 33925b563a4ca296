import type { SourceIndex } from "@proofroom/contracts";
import { expect, test } from "vitest";
import { storedSource as source } from "./fixtures/stored-source.ts";
import { verifyArticle } from "./verify.ts";

const backoff = `# Backoff

Exponential backoff doubles the delay after every failed attempt, so the third retry waits four seconds.
Adding jitter reduced the peak load by 37 percent in our tests.
The limit is not configurable in version 2.1 of the client.
Clients should not retry requests that changed state on the server unless the operation is idempotent.
Most outages last less than five minutes, and two thirds end within ninety seconds.
The scheduler was written by Anna Berg in 2019 and rewritten by Tom Reed in 2022.
The cache holds up to 10,000 entries and evicts the least recently used entry first.
"Retries are selfish: they ask the server to do more work," the authors write, "and they hide failures from users."
Only idempotent requests are retried automatically.
Die Warteschlange speichert Aufträge auf der Festplatte, bevor sie bestätigt werden.
Der Dienst verliert keine Nachrichten, wenn ein Knoten ausfällt.
该队列在确认之前会将任务写入磁盘。重试次数最多为三次。系统不会丢失消息。
The library supports Linux and macOS, but Windows support is experimental.
Compression is enabled by default for payloads larger than 1 KB.
The old protocol was removed because it was insecure.
Latency increased when batching was disabled.
At least three replicas are required for a quorum.
The job may run more than once after a crash.
Costs fell from $40 to $25 per month.
The median latency was 12 ms and the 99th percentile was 80 ms.
It is not true that the worker loses jobs when it is killed by the supervisor.
`;

const streams =
  "Redis Streams were introduced in version 5.0. A consumer group tracks which messages were delivered. Pending entries are claimed after sixty seconds of silence. Writes succeed only if the leader is reachable.";

const corpus = new Map([
  ["S1", source("https://a.dev/backoff", "Backoff guide", backoff)],
  ["S2", source("notes/streams.md", "Streams", streams)],
]);
const index: SourceIndex = {
  v: 1,
  sources: [...corpus].map(([id, { ref, title, kind, sha256 }]) => {
    return { id, ref, title, kind, sha256, artifact: `.nova/sources/${id}.json`, words: 50 };
  }),
  failures: [],
};

async function verdicts(
  sentence: string,
  references = "1. [Backoff guide](https://a.dev/backoff)\n2. Streams — `notes/streams.md`",
): Promise<string[]> {
  const article = `# T\n\n## Part\n\n${sentence}\n\n## References\n\n${references}\n`;
  const { citations } = await verifyArticle({ article, index, corpus });
  return citations.map(({ verdict }) => verdict);
}

test.each([
  "Costs fell from $40 to $25 per month. [1]",
  "The 99th percentile was 80 ms. [1]",
  "Exponential backoff doubles the delay after every failed attempt. [1]",
  "The third retry waits four seconds. [1]",
  "Redis Streams were introduced in version 5.0, and adding jitter reduced the peak load by 37 percent in our tests. [1][2]",
  "该队列在确认之前会将任务写入磁盘。[1]",
  "系统不会丢失消息。[1]",
  "Der Dienst verliert keine Nachrichten, wenn ein Knoten ausfällt. [1]",
  "The cache evicts the least recently used entry first. [1]",
  "The scheduler was written by Anna Berg in 2019. [1]",
  "Jitter reduced the peak load by 37% in tests. [1]",
  "The authors write: “Retries are selfish: they ask the server to do more work”. [1]",
  "“Retries are selfish … they hide failures from users,” the authors write. [1]",
])("is supported: %s", async (sentence) => {
  expect(await verdicts(sentence)).toEqual(["supported"]);
});

test.each([
  "Costs fell from $25 to $40 per month. [1]",
  "The median latency was 80 ms. [1]",
  "Die Warteschlange speichert Aufträge im Speicher, bevor sie bestätigt werden. [1]",
  "The guide says “the worker loses jobs when it is killed by the supervisor.” [1]",
  "The worker loses jobs when killed by the supervisor. [1]",
  "该队列「在确认之后会将任务写入磁盘」。[1]",
  "Der Leitfaden sagt: »Der Dienst verliert Nachrichten«. [1]",
  "Adding jitter reduced the peak load by 73 percent in our tests. [1]",
  "Adding jitter reduced the peak load by thirty-eight percent in our tests. [1]",
  "Adding jitter reduced the peak load by 37 times in our tests. [1]",
  "Adding jitter increased the peak load by 37 percent in our tests. [1]",
  "Adding jitter reduced the average load by 37 percent in our tests. [1]",
  "The limit is configurable in version 2.1 of the client. [1]",
  "The limit is not configurable in version 2.2 of the client. [1]",
  "Clients should retry requests that changed state on the server unless the operation is idempotent. [1]",
  "Clients should not retry requests that changed state on the server. [1]",
  "Clients should retry requests that changed state on the server. [1]",
  "Most outages last less than six minutes, and two thirds end within ninety seconds. [1]",
  "Most outages last more than five minutes, and two thirds end within ninety seconds. [1]",
  "All outages last less than five minutes. [1]",
  "Most outages last less than five hours. [1]",
  "Two thirds of outages end within nine seconds. [1]",
  "The scheduler was written by Tom Reed in 2019 and rewritten by Anna Berg in 2022. [1]",
  "The scheduler was written by Anna Berg in 2022. [1]",
  "The scheduler was written by Anna Berg in 2022 and rewritten by Tom Reed in 2019. [1]",
  "The cache holds up to 100,000 entries and evicts the least recently used entry first. [1]",
  "The cache holds up to 10,000 entries and evicts the most recently used entry first. [1]",
  "The cache holds up to 10,000 entries and evicts the least frequently used entry first. [1]",
  "“Retries are unselfish: they ask the server to do more work,” the authors write. [1]",
  "The authors write: “Retries are selfish: they ask the server to do less work.” [1]",
  "Requests are retried automatically. [1]",
  "Non-idempotent requests are retried automatically. [1]",
  "Only non-idempotent requests are retried automatically. [1]",
  "Die Warteschlange speichert Aufträge auf der Festplatte, nachdem sie bestätigt werden. [1]",
  "Die Warteschlange speichert keine Aufträge auf der Festplatte, bevor sie bestätigt werden. [1]",
  "Der Dienst verliert Nachrichten, wenn ein Knoten ausfällt. [1]",
  "Die Warteschlange speichert Aufträge nicht auf der Festplatte, bevor sie bestätigt werden. [1]",
  "该队列在确认之后会将任务写入磁盘。[1]",
  "重试次数最多为五次。[1]",
  "重试次数最少为三次。[1]",
  "系统会丢失消息。[1]",
  "该队列在确认之前不会将任务写入磁盘。[1]",
  "The library supports Linux, macOS and Windows. [1]",
  "The library supports Windows and macOS, but Linux support is experimental. [1]",
  "Compression is disabled by default for payloads larger than 1 KB. [1]",
  "Compression is enabled by default for payloads smaller than 1 KB. [1]",
  "Compression is enabled by default for payloads larger than 1 MB. [1]",
  "The old protocol was removed although it was insecure. [1]",
  "The new protocol was removed because it was insecure. [1]",
  "The old protocol was removed because it was secure. [1]",
  "Latency increased when batching was enabled. [1]",
  "Latency decreased when batching was disabled. [1]",
  "At most three replicas are required for a quorum. [1]",
  "At least four replicas are required for a quorum. [1]",
  "At least three replicas are forbidden for a quorum. [1]",
  "The job will run more than once after a crash. [1]",
  "The job may not run more than once after a crash. [1]",
  "The job may run at most once after a crash. [1]",
  "The job never runs more than once after a crash. [1]",
  "Redis Streams were introduced in version 5.0, and the third retry waits eight seconds. [1][2]",
  "Redis Streams were introduced in version 6.0, and adding jitter reduced the peak load by 37 percent in our tests. [1][2]",
  "Redis Streams were introduced in version 5.0, and adding jitter increased the peak load by 37 percent in our tests. [1][2]",
  "Pending entries are claimed after five minutes, and most outages last less than sixty seconds of silence. [1][2]",
  "Writes succeed even if the leader is unreachable. [2]",
  "Writes succeed if the leader is reachable. [2]",
  "Writes fail only if the leader is reachable. [2]",
  "Redis Streams were introduced in version 5.0. [1]",
  "Exponential backoff halves the delay after every failed attempt. [1]",
  "Exponential backoff doubles the delay after every successful attempt, so the third retry waits four seconds. [1]",
  "Exponential backoff doubles the delay after every failed attempt, so the fourth retry waits three seconds. [1]",
  "Exponential backoff doubles the delay after every failed attempt, so the second retry waits four seconds. [1]",
])("is never supported: %s", async (sentence) => {
  const found = await verdicts(sentence);
  expect(found).toHaveLength(1);
  expect(found).not.toContain("supported");
});

const withheld = [
  "The team failed to reduce memory usage by 40 percent in the last release.",
  "The team repeatedly refused to substantially reduce memory usage by 40 percent in the last release.",
  "The team plans to reduce memory usage by 40 percent in the last release.",
  "The team hoped to reduce memory usage by 40 percent in the last release.",
  "The team was asked to reduce memory usage by 40 percent in the last release.",
  "The team was asked by the whole board of directors to reduce memory usage by 40 percent in the last release.",
  "The team is unlikely to reduce memory usage by 40 percent in the last release.",
  "The team pretends to reduce memory usage by 40 percent in the last release.",
  "The team was expected to reduce memory usage by 40 percent in the last release.",
  "The team was supposed to reduce memory usage by 40 percent in the last release.",
  "The team avoided reducing memory usage by 40 percent in the last release.",
  "It is planned that the team reduced memory usage by 40 percent in the last release.",
  "It was hoped by everyone that the team reduced memory usage by 40 percent in the last release.",
  "They proposed that the team reduced memory usage by 40 percent in the last release.",
];

async function verdictBeside(evidence: string, sentence: string): Promise<string[]> {
  const only = source("notes/only.md", "Only", `# Only\n\n${evidence} Nobody else works there.\n`);
  const { ref, title, kind, sha256 } = only;
  const sources = [{ id: "S1", ref, title, kind, sha256, artifact: ".nova/sources/S1.json", words: 50 }];
  const { citations } = await verifyArticle({
    article: `# T\n\n## Part\n\n${sentence} [1]\n\n## References\n\n1. Only — \`notes/only.md\`\n`,
    index: { v: 1, sources, failures: [] },
    corpus: new Map([["S1", only]]),
  });
  return citations.map(({ verdict }) => verdict);
}

test.each(withheld)(
  "what is kept from happening or only intended is no evidence that it did: %s",
  async (evidence) => {
    const sentence = "The team reduced memory usage by 40 percent in the last release.";
    expect(await verdictBeside(evidence, sentence)).toEqual(["uncertain"]);
    expect(await verdictBeside(evidence, evidence)).toEqual(["supported"]);
  },
);

test("what prevents a change does not bring it about, and what fails only at times does not fail always", async () => {
  const prevents = "The cache prevents an increase in memory usage of the workers.";
  expect(await verdictBeside(prevents, "The cache increases memory usage of the workers.")).toEqual([
    "uncertain",
  ]);
  const failed = "The gateway sends every request that failed again after ten seconds.";
  expect(await verdictBeside(failed, "The gateway sends every request again after ten seconds.")).toEqual([
    "uncertain",
  ]);
});

test("words exchanged for others of the same beginning are not supported", async () => {
  const rent = "The licensor pays the annual fee to the employee before the universal audit.";
  expect(await verdictBeside(rent, rent.replace("licensor", "licensee"))).toEqual(["uncertain"]);
  expect(await verdictBeside(rent, rent.replace("employee", "employer"))).toEqual(["uncertain"]);
  expect(await verdictBeside(rent, rent.replace("universal", "university"))).toEqual(["uncertain"]);
});

test.each([
  ["another address", "1. [Backoff guide](https://evil.dev/backoff)", "unresolved"],
  ["another stored source", "1. Streams — `notes/streams.md`", "unsupported"],
  ["another address behind the same label", "1. [https://a.dev/backoff](https://evil.dev)", "unresolved"],
])("a reference whose entry was edited to %s carries nothing", async (_name, references, verdict) => {
  const sentence = "The cache holds up to 10,000 entries and evicts the least recently used entry first. [1]";
  expect(await verdicts(sentence, references)).toEqual([verdict]);
});
