import {
  allMessages,
  mcpEnvelope,
  modernMcpVersion,
  openTestPlace,
  postMcp,
  type TestPlace,
} from "@proofroom/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HttpGateway } from "../http/gateway.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

let place: TestPlace;
let gateway: HttpGateway;

beforeAll(async () => {
  place = await openTestPlace();
  gateway = await startTestGateway(place);
});

afterAll(async () => {
  await gateway.close(0);
  await place.close();
});

type Era = "legacy" | "modern";

async function ask(
  era: Era,
  method: string,
  params: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const headers: Record<string, string> =
    era === "legacy"
      ? { "mcp-protocol-version": "2025-11-25" }
      : { "mcp-protocol-version": modernMcpVersion, "mcp-method": method };
  const meta = era === "modern" ? { _meta: mcpEnvelope } : {};
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, ...meta } };
  return (await allMessages(await postMcp(gateway.url, body, headers))).at(-1)?.result ?? {};
}

interface Listed {
  name: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
}

function* nodes(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const member of Object.values(value)) yield* nodes(member);
}

// An output schema of draft-07 is refused, references are not followed, and what is not an object at the root is wrapped.
describe.each(["legacy", "modern"] as const)("the list of tools as it goes over the wire, %s", (era) => {
  it("names no other dialect than 2020-12, refers to nothing, and has objects at the roots", async () => {
    const tools = (await ask(era, "tools/list"))["tools"] as Listed[];
    expect(tools.length).toBeGreaterThan(20);
    for (const { name, inputSchema, outputSchema } of tools) {
      for (const schema of [inputSchema, outputSchema]) {
        expect([name, schema["type"]]).toEqual([name, "object"]);
        for (const root of ["oneOf", "anyOf", "allOf", "$ref"]) expect(schema).not.toHaveProperty(root);
        for (const node of nodes(schema)) {
          for (const key of ["$ref", "$defs", "definitions"])
            expect([name, key in node]).toEqual([name, false]);
          const dialect = node["$schema"] ?? "https://json-schema.org/draft/2020-12/schema";
          expect([name, dialect]).toEqual([name, "https://json-schema.org/draft/2020-12/schema"]);
        }
      }
    }
  });

  it("comes in the same order every time, and is the same whoever asks", async () => {
    const [first, second] = [await ask(era, "tools/list"), await ask(era, "tools/list")];
    expect(second["tools"]).toEqual(first["tools"]);
    const other = (await ask(era === "legacy" ? "modern" : "legacy", "tools/list"))["tools"] as Listed[];
    expect(other.map(({ name }) => name)).toEqual((first["tools"] as Listed[]).map(({ name }) => name));
  });
});

// A client that is told of the tasks of 2025-11-25 calls by them, which this server does not know.
it("tasks of 2025-11-25 are not declared to the clients of that revision", async () => {
  const clientInfo = { name: "t", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const { capabilities } = await ask("legacy", "initialize", params);
  expect(capabilities).toHaveProperty("tools");
  expect(capabilities).not.toHaveProperty("tasks");
  const tools = (await ask("legacy", "tools/list"))["tools"] as { execution?: { taskSupport?: string } }[];
  for (const { execution } of tools) expect(execution?.taskSupport ?? "forbidden").toBe("forbidden");
});
