import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { endProcess, eventually, makeTempFolder, untilServing } from "@proofroom/testing";
import { Redis } from "ioredis";

export interface ClusterNode {
  readonly url: string;
  close(): Promise<void>;
}

/** A port whose neighbour 10,000 above, on which nodes of a cluster talk, exists too. */
async function portOfNode(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    if (port < 55_000) return port;
    // The system's own range may lie above: one below it is as free as any.
    return port - 12_000;
  }
}

/** A Redis that is a cluster of one node: it has all slots, and refuses commands and scripts whose keys lie in several. */
export async function startClusterNode(): Promise<ClusterNode> {
  const [folder, port] = await Promise.all([makeTempFolder(), portOfNode()]);
  const settings = { port, bind: "127.0.0.1", dir: folder.path, save: "", "cluster-enabled": "yes" };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn("redis-server", args, { stdio: "ignore" });
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url);
  client.on("error", () => undefined);
  async function gather(): Promise<void> {
    await client.cluster("ADDSLOTSRANGE", 0, 16_383);
    await eventually(async () => String(await client.cluster("INFO")).includes("cluster_state:ok"));
  }
  try {
    await untilServing(server, gather());
  } catch (error) {
    await folder.close();
    throw error;
  } finally {
    client.disconnect();
  }
  return {
    url,
    async close() {
      await endProcess(server, "SIGKILL");
      await folder.close();
    },
  };
}
