import { askedHost } from "@proofroom/access";
import type { FastifyInstance } from "fastify";
import { HttpProblem } from "../problems/http-problem.ts";

const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Refuses requests that a browser was tricked into: on a loopback address the Host must name it (a foreign name that
 * resolves to 127.0.0.1 would make a web page our equal), and an Origin must be our own.
 */
export function installHostGuard(app: FastifyInstance, options: { loopback: boolean }): void {
  app.addHook("onRequest", async (request) => {
    const asked = askedHost(request.raw);
    if (asked === null) {
      throw new HttpProblem({ status: 400, code: "invalid_input", detail: "The Host header is not valid." });
    }
    if (!options.loopback) return;
    if (!loopbackNames.has(asked.name)) {
      throw new HttpProblem({
        status: 421,
        code: "misdirected",
        detail: "This server answers to localhost, 127.0.0.1 and [::1] only.",
      });
    }
    const { origin } = request.headers;
    if (origin !== undefined && origin !== `http://${asked.host}` && origin !== `https://${asked.host}`) {
      throw new HttpProblem({
        status: 403,
        code: "forbidden",
        detail: "Requests from web pages of another origin are refused.",
      });
    }
  });
}
