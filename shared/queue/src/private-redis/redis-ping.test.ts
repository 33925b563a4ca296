import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { redisAnswers } from "./redis-ping.ts";

let folder: string;
let address: string;
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ping-"));
  address = join(folder, "redis.sock");
});

afterEach(async () => {
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  rmSync(folder, { recursive: true, force: true });
});

async function listen(
  at: string | { port: number; host: string },
  greet: (socket: Socket) => void,
): Promise<Server> {
  const listening = createServer((socket) => greet(socket.on("error", () => {}).resume()));
  server = listening;
  await new Promise<void>((resolve) => listening.listen(at, resolve));
  return listening;
}

test.each([
  ["+PONG\r\n", true],
  ["-NOAUTH Authentication required.\r\n", true],
  ["-LOADING Redis is loading the dataset in memory\r\n", false],
  ["HTTP/1.1 400 Bad Request\r\n", false],
])("a reply of %j", async (reply, answer) => {
  await listen(address, (socket) => socket.once("data", () => socket.write(reply)));
  expect(await redisAnswers(address, 2_000)).toBe(answer);
});

test("a reply that comes in pieces is waited for", async () => {
  await listen(address, (socket) => {
    socket.once("data", () => socket.write("+PO", () => setImmediate(() => socket.write("NG\r\n"))));
  });
  expect(await redisAnswers(address, 2_000)).toBe(true);
});

test("an address where nobody listens does not serve", async () => {
  expect(await redisAnswers(address, 2_000)).toBe(false);
});

test("one that hangs up does not serve", async () => {
  await listen(address, (socket) => socket.end());
  expect(await redisAnswers(address, 2_000)).toBe(false);
});

test("one that says nothing in the time does not serve", async () => {
  await listen(address, () => {});
  expect(await redisAnswers(address, 50)).toBe(false);
});

test("a URL is reached by its host and port, whatever its credentials", async () => {
  const listening = await listen({ port: 0, host: "127.0.0.1" }, (socket) =>
    socket.once("data", () => socket.write("+PONG\r\n")),
  );
  const { port } = listening.address() as { port: number };
  expect(await redisAnswers(`redis://user:p%40ss@127.0.0.1:${port}/3`, 2_000)).toBe(true);
});
