import { startTestRedis } from "./redis.ts";
import type { TestRedis } from "./redis-server.ts";
import { makeTempFolder } from "./temp-folder.ts";

/** Where the programs of one test are: a folder and a Redis of its own. */
export interface TestPlace {
  readonly root: string;
  readonly redisUrl: string;
  readonly redis: TestRedis;
  /** Has what is opened in it closed before it, the last first. */
  closing(...closers: (() => unknown)[]): void;
  close(): Promise<void>;
}

export async function openTestPlace(): Promise<TestPlace> {
  const [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
  const opened: (() => unknown)[] = [];
  return {
    root: folder.path,
    redisUrl: redis.url,
    redis,
    closing: (...closers) => void opened.push(...closers),
    async close() {
      for (const close of opened.splice(0).reverse()) await close();
      await redis.close();
      await folder.close();
    },
  };
}
