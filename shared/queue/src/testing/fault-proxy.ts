import { once } from "node:events";
import { createServer, connect as dial, type NetConnectOpts, type Socket } from "node:net";

/** A proxy before a Redis that fails in the ways of networks. */
export interface FaultProxy {
  /** Path of its unix socket. */
  readonly url: string;
  /** Connections that were refused so far. */
  readonly refused: number;
  /** Ends all connections, and each new one at once, until `heal`. */
  refuse(): void;
  /** From now on the connections there are carry nothing more, though nobody is told; new ones work. */
  goSilent(): void;
  /** Makes each connection fall silent with the first request that holds the word, which is not passed on. */
  goSilentAt(word: string): void;
  /** How many connections fell silent at a word. */
  readonly silenced: number;
  /** Lets the next request through and swallows the reply, with the connection. */
  loseReply(): void;
  /** How many replies were swallowed. */
  readonly lost: number;
  heal(): void;
  close(): Promise<void>;
}

/** A Redis of a test is at a socket, or at a port where it runs in a container. */
function placeOf(target: string): NetConnectOpts {
  if (target.startsWith("/")) return { path: target };
  const { hostname, port } = new URL(target);
  return { host: hostname, port: Number(port) };
}

export async function startFaultProxy(path: string, target: string): Promise<FaultProxy> {
  const pairs = new Set<{ client: Socket; server: Socket; silent: boolean }>();
  let refusing = false;
  let losing = false;
  let refused = 0;
  let lost = 0;
  let silencer: string | undefined;
  let silenced = 0;

  const listener = createServer((client) => {
    client.on("error", () => undefined);
    if (refusing) {
      refused += 1;
      client.destroy();
      return;
    }
    const server = dial(placeOf(target));
    const pair = { client, server, silent: false };
    let asked = false;
    pairs.add(pair);
    server.on("error", () => undefined);
    client.on("data", (data) => {
      asked ||= losing;
      if (silencer !== undefined && !pair.silent && data.includes(silencer)) {
        pair.silent = true;
        silenced += 1;
      }
      if (!pair.silent) server.write(data);
    });
    server.on("data", (data) => {
      if (losing && asked) {
        losing = false;
        lost += 1;
        client.destroy();
      } else if (!pair.silent) client.write(data);
    });
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.on("close", end);
    server.on("close", end);
  });
  listener.listen(path);
  await once(listener, "listening");

  return {
    url: path,
    get refused() {
      return refused;
    },
    get lost() {
      return lost;
    },
    get silenced() {
      return silenced;
    },
    refuse() {
      refusing = true;
      for (const { client } of pairs) client.destroy();
    },
    goSilent() {
      for (const pair of pairs) pair.silent = true;
    },
    goSilentAt(word) {
      silencer = word;
    },
    loseReply() {
      losing = true;
    },
    heal() {
      refusing = false;
    },
    async close() {
      const closed = once(listener, "close");
      listener.close();
      for (const { client } of pairs) client.destroy();
      await closed;
    },
  };
}
