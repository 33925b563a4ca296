import { connect, type NetConnectOpts } from "node:net";

/** Sends one command in Redis's inline form; answers the reply, or an empty text where nobody listens. */
export function askRedis(place: NetConnectOpts, command: string): Promise<string> {
  return new Promise((resolve) => {
    const client = connect(place, () => client.write(`${command}\r\n`));
    client.once("data", (data) => {
      client.destroy();
      resolve(data.toString());
    });
    client.once("error", () => resolve(""));
  });
}
