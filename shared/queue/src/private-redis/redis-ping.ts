import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** Replies that show a Redis that serves: PONG, or the demand for a password, which the real client will give. */
const SERVING = /^(?:\+PONG|-NOAUTH|-WRONGPASS|-NOPERM)/;

/**
 * Whether a Redis serves at this address (`redis://`, `rediss://` or the path of a socket). One still loading its data, or any other
 * program, does not.
 */
export async function redisAnswers(url: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = open(url);
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.on("error", () => finish(false));
    socket.on("close", () => resolve(false));
    let reply = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      reply += text;
      if (reply.includes("\n")) finish(SERVING.test(reply));
    });
    socket.write("PING\r\n");
  });
}

function open(url: string): Socket {
  if (!/^rediss?:/.test(url)) return connectTcp(url);
  const { protocol, hostname, port } = new URL(url);
  const address = { host: hostname.replace(/^\[|\]$/g, "") || "127.0.0.1", port: Number(port || 6379) };
  return protocol === "rediss:" ? connectTls(address) : connectTcp(address);
}
