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
  /** Lets the next request that holds the word through and swallows the reply, with the connection. */
  loseReplyTo(word: string): void;
  /** Swallows so many replies that hold the word, each with its connection. */
  loseRepliesWith(word: string, times: number): void;
  /** How many replies were swallowed. */
  readonly lost: number;
  heal(): void;
  /** Leads new connections to another Redis; those there are stay where they are. */
  moveTo(target: string): void;
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
  let to = target;
  let refusing = false;
  let losingTo: string | undefined;
  const losingWith = { word: "", times: 0 };
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
    const server = dial(placeOf(to));
    const pair = { client, server, silent: false };
    let asked = false;
    pairs.add(pair);
    server.on("error", () => undefined);
    client.on("data", (data) => {
      if (losingTo !== undefined && data.includes(losingTo)) {
        losingTo = undefined;
        asked = true;
      }
      if (silencer !== undefined && !pair.silent && data.includes(silencer)) {
        pair.silent = true;
        silenced += 1;
      }
      if (!pair.silent) server.write(data);
    });
    server.on("data", (data) => {
      const isHeld = losingWith.times > 0 && data.includes(losingWith.word);
      if (isHeld) losingWith.times -= 1;
      if (asked || isHeld) {
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
    loseReplyTo(word) {
      losingTo = word;
    },
    loseRepliesWith(word, times) {
      Object.assign(losingWith, { word, times });
    },
    heal() {
      refusing = false;
    },
    moveTo(another) {
      to = another;
    },
    async close() {
      const closed = once(listener, "close");
      listener.close();
      for (const { client } of pairs) client.destroy();
      await closed;
    },
  };
}
