import { openHttpClient } from "./http-client.ts";
import { playRestClients } from "./rest-clients.ts";

/** `rest-clients-main.ts LOAD`: plays the clients of a REST load, given as JSON, in a process of their own; sends its report to its parent. */
const http = openHttpClient();
const report = await playRestClients(http, JSON.parse(process.argv[2] ?? ""));
http.close();
process.send?.(report, () => process.disconnect());
