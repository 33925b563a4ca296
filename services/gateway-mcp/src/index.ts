export {
  type GatewayDeps,
  type GatewayOptions,
  type Toolset,
  toolsetNames,
} from "./gateway-deps.ts";
export { type HttpGateway, type HttpGatewayOptions, startHttpGateway } from "./http/gateway.ts";
export { createServerFactory, type ServerFactory } from "./mcp-server.ts";
export { type StdioGateway, type StdioGatewayOptions, serveStdioGateway } from "./stdio.ts";
export { parseToolsets } from "./toolsets.ts";
