import type { Measurement } from "./measurement.ts";

/** Every measurement there is, the quick ones first. */
export const measurements: readonly Measurement[] = [
  {
    name: "step-overhead",
    summary: "a step that does nothing, through the whole runtime, against one job of BullMQ",
    load: async () => (await import("./measure-step-overhead.ts")).measureStepOverhead,
  },
  {
    name: "redis-commands",
    summary: "Redis commands and evalsha calls of six steps in a row, against six jobs of BullMQ",
    load: async () => (await import("./measure-redis-commands.ts")).measureRedisCommands,
  },
  {
    name: "router-overhead",
    summary: "a question to a model by role, against the same through the provider's SDK alone",
    load: async () => (await import("./models/measure-router-overhead.ts")).measureRouterOverhead,
  },
  {
    name: "sandbox",
    summary: "print('hi') in the sandbox, against Python without one",
    load: async () => (await import("./measure-sandbox.ts")).measureSandbox,
  },
  {
    name: "publish",
    summary: "the page of 100 KB of Markdown, against parsing the Markdown",
    load: async () => (await import("./measure-publish.ts")).measurePublish,
  },
  {
    name: "digest",
    summary: "the digest of a repository, against the command line of repomix",
    load: async () => (await import("./measure-digest.ts")).measureDigest,
  },
  {
    name: "startup",
    summary: "proofroom list and status as processes, against node -e 0; the libraries that are loaded",
    load: async () => (await import("./measure-startup.ts")).measureStartup,
  },
  {
    name: "mcp-greeting",
    summary: "how long proofroom mcp takes until it has answered initialize, as an agent's client starts it",
    load: async () => (await import("./measure-mcp-greeting.ts")).measureMcpGreeting,
  },
  {
    name: "sources",
    summary: "a hundred local Markdown notes up to research.md, against one",
    load: async () => (await import("./measure-sources.ts")).measureSources,
  },
  {
    name: "example",
    summary: "proofroom write --example as a process: time, memory, processor",
    load: async () => (await import("./measure-example.ts")).measureExample,
  },
  {
    name: "rest-load",
    summary:
      "200 clients that submit and poll, on two replicas of the REST gateway: latencies, errors, lost jobs",
    load: async () => (await import("./measure-rest-load.ts")).measureRestLoad,
  },
  {
    name: "mcp-load",
    summary:
      "5,000 calls of both eras on the MCP gateway, and what its heap gains by them; 200 sessions that poll",
    load: async () => (await import("./measure-mcp-load.ts")).measureMcpLoad,
  },
  {
    name: "gateway-cost",
    summary: "submitting a job through either gateway, against adding it to the queue of BullMQ",
    load: async () => (await import("./measure-gateway-cost.ts")).measureGatewayCost,
  },
  {
    name: "scaling",
    summary: "jobs whose provider takes a second each, by 1, 2, 4 and 8 worker processes, against linear",
    load: async () => (await import("./scaling/measure-scaling.ts")).measureScaling,
  },
  {
    name: "gateway-waiting",
    summary: "200 clients that wait for jobs that do not end, by long polls, event streams and tool calls",
    load: async () => (await import("./measure-gateway-waiting.ts")).measureGatewayWaiting,
  },
  {
    name: "quota-windows",
    summary: "a hundred questions by eight workers in two processes, where thirty a window are allowed",
    load: async () => (await import("./models/measure-quota-windows.ts")).measureQuotaWindows,
  },
];
