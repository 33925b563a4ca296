import { GenericContainer, getContainerRuntimeClient, Wait } from "testcontainers";
import { askRedis } from "../ask-redis.ts";
import { eventually } from "../eventually.ts";
import { freePort } from "../free-port.ts";
import { redisSettings, type TestRedis } from "../redis-server.ts";

/** That of docker-compose.yml. */
const image = "redis:7-bookworm";

/** A Redis in a container of its own, on a port that it keeps when it is started again. */
export async function startRedisContainer(): Promise<TestRedis> {
  const port = await freePort();
  const settings = Object.entries(redisSettings).flatMap(([name, value]) => [`--${name}`, value]);
  const started = await new GenericContainer(image)
    .withCommand(["redis-server", ...settings])
    .withExposedPorts({ container: 6_379, host: port })
    .withWaitStrategy(Wait.forLogMessage("Ready to accept connections"))
    .start();
  const runtime = await getContainerRuntimeClient();
  const container = runtime.container.getById(started.getId());
  const place = { host: started.getHost(), port };
  const isRunning = async () => (await container.inspect()).State.Running;
  return {
    url: `redis://${place.host}:${port}`,
    async kill() {
      if (await isRunning()) await container.kill({ signal: "SIGKILL" });
      await eventually(async () => !(await isRunning()));
    },
    async restart() {
      await container.start();
      await eventually(async () => (await askRedis(place, "PING")).startsWith("+PONG"));
    },
    async flush() {
      await askRedis(place, "FLUSHALL");
    },
    async close() {
      await started.stop({ timeout: 0, remove: true, removeVolumes: true });
    },
  };
}
