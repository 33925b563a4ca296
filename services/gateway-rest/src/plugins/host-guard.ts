import type { FastifyInstance } from "fastify";
import { HttpProblem } from "../problems/http-problem.ts";

const hostHeader = /^(?<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,255})(?::\d{1,5})?$/i;
const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The authority of an address in absolute form (RFC 9112, 3.2.2). */
function authorityOf(url: string): string | undefined {
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();
}

/**
 * Refuses requests that a browser was tricked into: on a loopback address the Host must name it (a foreign name that
 * resolves to 127.0.0.1 would make a web page our equal), and an Origin must be our own.
 */
export function installHostGuard(app: FastifyInstance, options: { loopback: boolean }): void {
  app.addHook("onRequest", async (request) => {
    const host = request.headers.host?.toLowerCase() ?? "";
    const name = hostHeader.exec(host)?.groups?.["name"];
    const { rawHeaders, url = "" } = request.raw;
    // Of two (RFC 9112, 3.2), or of one beside another in the address, a proxy may have looked at the other.
    const isOne = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host").length === 1;
    const isItsOwn = url.startsWith("/") || url === "*" || authorityOf(url) === host;
    if (name === undefined || !isOne || !isItsOwn) {
      throw new HttpProblem({ status: 400, code: "invalid_input", detail: "The Host header is not valid." });
    }
    if (!options.loopback) return;
    if (!loopbackNames.has(name)) {
      throw new HttpProblem({
        status: 421,
        code: "misdirected",
        detail: "This server answers to localhost, 127.0.0.1 and [::1] only.",
      });
    }
    const { origin } = request.headers;
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      throw new HttpProblem({
        status: 403,
        code: "forbidden",
        detail: "Requests from web pages of another origin are refused.",
      });
    }
  });
}
