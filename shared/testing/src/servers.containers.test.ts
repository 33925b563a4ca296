import { createS3Store, readObject } from "@proofroom/artifacts";
import { expect, test } from "vitest";
import { askRedis } from "./ask-redis.ts";
import { startTestRedis } from "./redis.ts";
import { startS3Server } from "./s3-server.ts";

test("a Redis of a test runs in a container where an engine answers, and keeps what it was told over a crash", async () => {
  const redis = await startTestRedis();
  try {
    const { hostname, port } = new URL(redis.url);
    const ask = (command: string) => askRedis({ host: hostname, port: Number(port) }, command);
    expect(await ask("SET kept 1")).toBe("+OK\r\n");
    expect(await ask("CONFIG GET maxmemory-policy")).toContain("noeviction");
    await redis.kill();
    expect(await ask("PING")).toBe("");
    await redis.restart();
    expect(await ask("GET kept")).toBe("$1\r\n1\r\n");
    await redis.flush();
    expect(await ask("DBSIZE")).toBe(":0\r\n");
  } finally {
    await redis.close();
  }
});

test("an S3 server of a test runs in a container where an engine answers, and keeps the conditions", async () => {
  const server = await startS3Server(process.env);
  if (server === null) throw new Error("there is no S3 server");
  try {
    expect(server.name).toBe("MinIO in a container");
    const store = await createS3Store({ ...server, forcePathStyle: true });
    await store.create("a/b.txt", Buffer.from("first"));
    await expect(store.create("a/b.txt", Buffer.from("second"))).rejects.toMatchObject({ code: "conflict" });
    expect(Buffer.from(await readObject(store, "a/b.txt")).toString()).toBe("first");
    await store.close();
  } finally {
    await server.close();
  }
});
