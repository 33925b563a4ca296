import { connect as connectTcp, type Socket } from "node:net";

/** Replies that show a Redis that serves: PONG, or the demand for a password. */
const SERVING = /^(?:\+PONG|-NOAUTH|-WRONGPASS|-NOPERM)/;

/**
 * Whether a private Redis serves at this address (`redis://` or the path of a socket). One still loading its data, or any other
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
  if (!url.startsWith("redis:")) return connectTcp(url);
  const { hostname, port } = new URL(url);
  return connectTcp({ host: hostname.replace(/^\[|\]$/g, "") || "127.0.0.1", port: Number(port || 6379) });
}
