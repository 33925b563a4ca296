import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The checkout whose compose file is run. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** How much a command may say, in bytes. */
const maxBuffer = 16 * 1024 * 1024;

export interface Stack {
  readonly restUrl: string;
  readonly mcpUrl: string;
  /** Runs a command of `docker compose` on the stack; answers what it says on stdout. */
  compose(...args: string[]): Promise<string>;
  /** Runs a command of `docker`. */
  docker(...args: string[]): Promise<string>;
  /** Evaluates a module in a container of a service, with the service's own rights; answers what it prints. */
  evaluate(service: string, source: string): Promise<string>;
  /** The ids of the running containers of a service. */
  containersOf(service: string): Promise<string[]>;
  /** The keys of the objects below a prefix of the bucket, as the S3 server has them on its disk. */
  objects(prefix: string): Promise<string[]>;
  /** Takes everything down, data included. */
  down(): Promise<void>;
}

/** A stack of its own name and ports, from the compose file as it is; nothing is started yet. */
export function describeStack(options: { project: string; restPort: number; mcpPort: number }): Stack {
  const { project, restPort, mcpPort } = options;
  const env = {
    ...process.env,
    PROOFROOM_REST_PORT: String(restPort),
    PROOFROOM_MCP_PORT: String(mcpPort),
  };
  async function docker(...args: string[]): Promise<string> {
    const { stdout } = await run("docker", args, { cwd: checkout, env, maxBuffer });
    return stdout;
  }
  const compose = (...args: string[]) =>
    docker("compose", "--progress", "plain", "--project-name", project, ...args);
  const lines = (text: string) => text.split("\n").filter((line) => line !== "");
  return {
    restUrl: `http://127.0.0.1:${restPort}`,
    mcpUrl: `http://127.0.0.1:${mcpPort}`,
    compose,
    docker,
    evaluate: (service, source) =>
      compose("exec", "-T", service, "node", "--input-type=module", "--eval", source),
    containersOf: async (service) => lines(await compose("ps", "--quiet", service)),
    async objects(prefix) {
      const root = "/data/proofroom/";
      const found = await compose("exec", "-T", "s3", "find", root + prefix, "-name", "xl.meta");
      return lines(found)
        .map((path) => path.slice(root.length, -"/xl.meta".length))
        .sort();
    },
    async down() {
      await compose("down", "--volumes", "--timeout", "5");
    },
  };
}
