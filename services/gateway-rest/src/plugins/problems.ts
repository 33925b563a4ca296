import type { Socket } from "node:net";
import { isProofroomError } from "@proofroom/contracts";
import type { Logger } from "@proofroom/telemetry";
import type { FastifyInstance, FastifyReply } from "fastify";
import { HttpProblem } from "../problems/http-problem.ts";
import { toProblem } from "../problems/to-problem.ts";

export const problemMediaType = "application/problem+json";

/** Answers with the problem that a thrown error stands for. */
export function sendProblem(reply: FastifyReply, thrown: unknown): FastifyReply {
  const { status, headers, body } = toProblem(thrown);
  return reply
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

/** Answers what is not even HTTP, and closes the connection. */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const { status, body } = toProblem(
    new HttpProblem(
      tooLarge
        ? { status: 431, code: "headers_too_large", detail: "The headers are too large." }
        : { status: 400, code: "invalid_input", detail: "The request is not valid HTTP." },
    ),
  );
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${body.title}\r\nContent-Type: ${problemMediaType}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
