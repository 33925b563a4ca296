import { openHttpClient } from "./http-client.ts";
import { playMcpClients } from "./mcp-clients.ts";

/** `mcp-clients-main.ts LOAD`: plays the clients of an MCP load, given as JSON, in a process of their own; sends its report to its parent. */
const http = openHttpClient();
const report = await playMcpClients(http, JSON.parse(process.argv[2] ?? ""));
http.close();
process.send?.(report, () => process.disconnect());
