import { connect, type NetConnectOpts } from "node:net";

/** What hangs longer than a Redis that loads its data is no answer, in milliseconds. */
const patience = 10_000;

/**
 * Sends one command in Redis's inline form; answers the reply, or an empty text where none comes: nobody listens, or what listens
 * hangs up, as an engine's proxy does for a container that is not up yet.
 */
export function askRedis(place: NetConnectOpts, command: string, timeoutMs = patience): Promise<string> {
  return new Promise((resolve) => {
    const client = connect(place, () => client.write(`${command}\r\n`));
    const end = (reply: string) => {
      client.destroy();
      resolve(reply);
    };
    client.setTimeout(timeoutMs, () => end(""));
    client.once("data", (data) => end(data.toString()));
    client.once("error", () => end(""));
    client.once("close", () => end(""));
  });
}
