export { endProcess, untilServing } from "./child-process.ts";
export { eventually } from "./eventually.ts";
export { freePort } from "./free-port.ts";
export { type GitServer, git, onlyWith, putFiles, startGitServer } from "./git-server.ts";
export {
  type Answer,
  connectLegacy,
  connectLegacyHttp,
  connectLegacyStdio,
  connectModernHttp,
  type Peer,
} from "./mcp/clients.ts";
export { type AgentsOwn, followPrompts } from "./mcp/scripted-agent.ts";
export { connectTasks, tasksExtensions } from "./mcp/tasks-client.ts";
export {
  allMessages,
  askAs,
  askModern,
  type McpMessage,
  mcpEnvelope,
  messagesOf,
  modernMcpVersion,
  postAs,
  postMcp,
} from "./mcp/wire.ts";
export type { ReceivedSpan } from "./otlp/decode-traces.ts";
export { type OtlpReceiver, startOtlpReceiver } from "./otlp/otlp-receiver.ts";
export {
  type FakeProvider,
  type ProviderRequest,
  type Script,
  type ScriptedAnswer,
  startFakeProvider,
} from "./providers/fake-provider.ts";
export {
  type FirecrawlPage,
  fakeFirecrawl,
  firecrawlBody,
  firecrawlError,
} from "./providers/firecrawl-fake.ts";
export {
  geminiBlocked,
  geminiBody,
  geminiError,
  geminiLimit,
  openAiBody,
  openAiError,
} from "./providers/model-bodies.ts";
export {
  arxivFeed,
  type FakePage,
  perplexityBody,
  searxngBody,
  tavilyBody,
  wikipediaBody,
} from "./providers/search-bodies.ts";
export {
  openQuota,
  openTestModels,
  type TestModels,
  uncountedCalls,
  withoutModels,
} from "./providers/test-models.ts";
export { recordCalls } from "./recorded-calls.ts";
export { startTestRedis } from "./redis.ts";
export { startGuardedRedis } from "./redis-process.ts";
export type { TestRedis } from "./redis-server.ts";
export { s3ForTests } from "./s3-for-tests.ts";
export type { TestS3 } from "./s3-server.ts";
export { makeTempFolder, type TempFolder } from "./temp-folder.ts";
export { openTestPlace, type TestPlace } from "./test-place.ts";
export { createTestRun } from "./test-run.ts";
