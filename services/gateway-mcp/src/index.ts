export { type ConnectedGateway, connectGateway } from "./connect-gateway.ts";
export type { GatewayDeps } from "./gateway-deps.ts";
export type { Directories, FolderReport } from "./research-directory/directories.ts";
export { serveStdioGateway } from "./stdio/stdio-gateway.ts";
export { parseToolsets } from "./toolsets.ts";
