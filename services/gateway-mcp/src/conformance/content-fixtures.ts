import { setTimeout as pause } from "node:timers/promises";
import {
  type CallToolResult,
  fromJsonSchema,
  type GetPromptResult,
  type McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { z } from "zod";

// What the suite asks of any server by name: its sources say which text and which kinds of content.

/** One red pixel. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** No sound at all. */
const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const image = { type: "image", data: png, mimeType: "image/png" } as const;

function resource(uri: string, mimeType: string, text: string) {
  return { type: "resource", resource: { uri, mimeType, text } } as const;
}

const contents: Readonly<Record<string, CallToolResult["content"]>> = {
  test_simple_text: [{ type: "text", text: "This is a simple text response for testing." }],
  test_streaming_elicitation: [{ type: "text", text: "Nobody was asked anything." }],
  test_image_content: [image],
  test_audio_content: [{ type: "audio", data: wav, mimeType: "audio/wav" }],
  test_embedded_resource: [
    resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ],
  test_multiple_content_types: [
    { type: "text", text: "Multiple content types test:" },
    image,
    resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ],
};

/** Keywords of JSON Schema 2020-12 that must go over the wire as they stand. */
const richSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

export function registerContentTools(server: McpServer): void {
  for (const [name, content] of Object.entries(contents)) {
    server.registerTool(name, { description: name }, () => ({ content }));
  }
  server.registerTool("test_error_handling", { description: "Fails." }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool(
    "test_tool_with_progress",
    { description: "Tells progress.", inputSchema: z.object({}) },
    async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken === undefined) break;
        const params = { progressToken, progress, total: 100 };
        await mcpReq.notify({ method: "notifications/progress", params });
        await pause(10);
      }
      return { content: [{ type: "text", text: "Done." }] };
    },
  );
  server.registerTool(
    "test_logging_tool",
    { description: "Logs where the caller asked for it.", inputSchema: z.object({}) },
    async (_args, { mcpReq }) => {
      await mcpReq.log("info", "Called.");
      return { content: [{ type: "text", text: "Done." }] };
    },
  );
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Has a rich schema.", inputSchema: fromJsonSchema(richSchema) },
    () => ({ content: [{ type: "text", text: "Done." }] }),
  );
  const region = { type: "string", "x-mcp-header": "Region" };
  const mirrored = { type: "object", properties: { region } };
  server.registerTool(
    "test_x_mcp_header",
    { description: "Has its argument in a header.", inputSchema: fromJsonSchema(mirrored) },
    (args) => ({ content: [{ type: "text", text: JSON.stringify(args) }] }),
  );
}

export function registerContentResources(server: McpServer): void {
  const text = { mimeType: "text/plain", text: "This is the content of the static text resource." };
  server.registerResource("static-text", "test://static-text", { mimeType: "text/plain" }, (uri) => ({
    contents: [{ uri: uri.href, ...text }],
  }));
  server.registerResource("static-binary", "test://static-binary", { mimeType: "image/png" }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "image/png", blob: png }],
  }));
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { mimeType: "application/json" },
    (uri, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return { contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify(data) }] };
    },
  );
}

function saying(...contents: GetPromptResult["messages"][number]["content"][]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: "user", content })) };
}

export function registerContentPrompts(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", { description: "Simple." }, () =>
    saying({ type: "text", text: "This is a simple prompt for testing." }),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "Two arguments.", argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) =>
      saying({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A resource.", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      saying(resource(resourceUri, "text/plain", "Embedded resource content for testing."), {
        type: "text",
        text: "Please process the embedded resource above.",
      }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "An image." }, () =>
    saying(image, { type: "text", text: "Please analyze the image above." }),
  );
}
