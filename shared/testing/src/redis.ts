import { startRedisContainer } from "./containers/redis-container.ts";
import { startRedisProcess } from "./redis-process.ts";
import type { TestRedis } from "./redis-server.ts";

/** A Redis of the test's own, configured as production is: in a container where DOCKER_HOST names an engine, else a process. */
export function startTestRedis(): Promise<TestRedis> {
  return process.env["DOCKER_HOST"] ? startRedisContainer() : startRedisProcess();
}
