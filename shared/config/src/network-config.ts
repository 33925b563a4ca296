import { z } from "zod";

const hostPort = /^(?:\[[0-9a-f:.]+\]|[^\s:/,[\]]+):(?<port>\d{1,5})$/i;

/** Private addresses that may be fetched all the same: exactly these, as `host:port` in lower case. */
export const networkConfig = z
  .object({ PROOFROOM_ALLOW_HOSTS: z.string().default("") })
  .transform((env, context) => {
    const hosts = env.PROOFROOM_ALLOW_HOSTS.split(",")
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== "");
    if (!hosts.every(isHostPort)) {
      context.addIssue({
        code: "custom",
        path: ["PROOFROOM_ALLOW_HOSTS"],
        message: "must be host:port, separated by commas",
      });
    }
    return { allowHosts: hosts };
  });

function isHostPort(text: string): boolean {
  const port = Number(hostPort.exec(text)?.groups?.["port"] ?? 0);
  return port > 0 && port < 65_536;
}
