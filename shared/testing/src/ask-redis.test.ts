import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { askRedis } from "./ask-redis.ts";
import { freePort } from "./free-port.ts";

/** What a server that greets so makes of a question. */
async function asked(greet: (socket: Socket) => unknown, timeoutMs?: number): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    greet(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port was given");
    return await askRedis({ host: "127.0.0.1", port: address.port }, "PING", timeoutMs);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  }
}

test("a reply is answered as it came", async () => {
  const reply = await asked((socket) => socket.once("data", (data) => socket.write(`+${data.toString()}`)));
  expect(reply).toBe("+PING\r\n");
});

test("nobody there is no reply", async () => {
  expect(await askRedis({ host: "127.0.0.1", port: await freePort() }, "PING")).toBe("");
});

test.each([
  ["at once", (socket: Socket) => socket.end()],
  ["at once and hard", (socket: Socket) => socket.resetAndDestroy()],
  ["after the question", (socket: Socket) => socket.once("data", () => socket.end())],
])(
  "one that takes the connection and hangs up %s is no reply, and keeps nobody waiting",
  async (_when, greet) => {
    expect(await asked(greet)).toBe("");
  },
);

test("one that takes the question and says nothing is no reply", async () => {
  expect(await asked((socket) => socket.resume(), 50)).toBe("");
});
