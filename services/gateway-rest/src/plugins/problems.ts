import type { Socket } from "node:net";
import { isProofroomError } from "@proofroom/contracts";
import type { Logger } from "@proofroom/telemetry";
import type { FastifyInstance, FastifyReply } from "fastify";
import { HttpProblem, type HttpProblemOptions } from "../problems/http-problem.ts";
import { toProblem } from "../problems/to-problem.ts";

export const problemMediaType = "application/problem+json";

/**
 * Answers with the problem that a thrown error stands for. What is left of the request's body is passed over: closed on a
 * client that is still sending, the connection would be reset, and the answer lost.
 */
export function sendProblem(reply: FastifyReply, thrown: unknown): FastifyReply {
  const { status, headers, body } = toProblem(thrown);
  reply.request.raw.resume();
  return reply
    .removeHeader("connection")
    .code(status)
    .headers(headers)
    .header("content-type", problemMediaType)
    .header("cache-control", "no-store")
    .send(JSON.stringify(body));
}

/** Every error leaves as a problem document, and what nobody foresaw is logged. */
export function installProblems(app: FastifyInstance, log: Logger): void {
  app.setErrorHandler((error, request, reply) => {
    const { status } = toProblem(error);
    // Who has hung up has ended its own request.
    if (status >= 500 && !reply.raw.destroyed) {
      const cause = isProofroomError(error) ? (error.cause ?? error) : error;
      log.error({ err: cause, status, route: request.routeOptions.url }, "request failed");
    }
    return sendProblem(reply, error);
  });
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(
      reply,
      new HttpProblem({ status: 404, code: "not_found", detail: "There is no such address." }),
    ),
  );
}

const notHttp = { status: 400, code: "invalid_input", detail: "The request is not valid HTTP." } as const;

/** What Node tells apart of requests that do not come to a route. */
const malformed: Readonly<Record<string, HttpProblemOptions>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: "headers_too_large", detail: "The headers are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: "timeout", detail: "The request did not come in time." },
};

/** Answers what is not even HTTP, and closes the connection. */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = toProblem(new HttpProblem(malformed[error.code ?? ""] ?? notHttp));
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${body.title}\r\nContent-Type: ${problemMediaType}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
