import { STATUS_CODES } from "node:http";
import { type ErrorCode, type ProofroomError, toProofroomError } from "@proofroom/contracts";
import { HttpProblem } from "./http-problem.ts";

/**
 * The HTTP status of each code. 501 tells what this installation cannot do until its operator changes that; the
 * codes of outside systems occur inside jobs, and reach HTTP only as the error of a job.
 */
export const statusByCode: Readonly<Record<ErrorCode, number>> = {
  invalid_input: 400,
  not_found: 404,
  conflict: 409,
  not_configured: 501,
  unreachable: 502,
  refused: 403,
  private_address: 403,
  too_large: 413,
  no_evidence: 422,
  quota: 429,
  budget: 402,
  timeout: 504,
  cancelled: 409,
  sandbox_unavailable: 501,
  dependency_down: 503,
  internal: 500,
};

/** Seconds after which a client should try again that was told to wait, but not for how long. */
const retryAfterSeconds = 1;

/** The most that a detail may hold: a client's own key names can be quoted in it. */
const detailLimit = 500;

/** A problem document (RFC 9457) and the headers that go with it. */
export interface Problem {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: {
    type: string;
    title: string;
    status: number;
    code: string;
    detail: string;
    remedy?: string;
    errors?: readonly { path: string; message: string }[];
  };
}

function problem(status: number, code: string, detail: string): Problem["body"] {
  return {
    type: `urn:proofroom:problem:${code}`,
    title: STATUS_CODES[status] ?? "Error",
    status,
    code,
    detail: detail.slice(0, detailLimit),
  };
}

function retryAfter(error: ProofroomError): Record<string, string> {
  if (error.code !== "quota" && error.code !== "dependency_down") return {};
  const { disposition } = error;
  const seconds =
    disposition.kind === "retry_after" ? Math.ceil(disposition.delayMs / 1_000) : retryAfterSeconds;
  return { "retry-after": String(Math.max(seconds, 1)) };
}

/** The details of what fastify itself refuses; its own texts quote the input. */
const refusals: Readonly<Record<number, readonly [code: string, detail: string]>> = {
  400: ["invalid_input", "The request cannot be understood."],
  404: ["not_found", "There is no such address."],
  413: ["too_large", "The body is too large."],
  414: ["invalid_input", "The address is too long."],
  415: ["unsupported_media_type", "The body's Content-Type is not one that this address takes."],
  431: ["headers_too_large", "The headers are too large."],
};

/** The status with which fastify refused a request, or null where the error is none of those. */
function refusedStatus(thrown: unknown): number | null {
  if (typeof thrown !== "object" || thrown === null) return null;
  const { code, statusCode } = thrown as { code?: unknown; statusCode?: unknown };
  if (typeof code !== "string" || !code.startsWith("FST_") || typeof statusCode !== "number") return null;
  return statusCode >= 400 && statusCode < 500 ? statusCode : null;
}

/** Turns anything thrown into the answer to it: the one place where errors get their HTTP form. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof HttpProblem) {
    const { status, code, detail, headers = {}, errors } = thrown.options;
    return {
      status,
      headers,
      body: { ...problem(status, code, detail), ...(errors === undefined ? {} : { errors }) },
    };
  }
  const refused = refusedStatus(thrown);
  if (refused !== null) {
    const [code, detail] = refusals[refused] ?? ["invalid_input", "The request cannot be answered."];
    return { status: refused, headers: {}, body: problem(refused, code, detail) };
  }
  const error = toProofroomError(thrown);
  const status = statusByCode[error.code];
  const body = problem(status, error.code, error.message);
  const { remedy } = error;
  return {
    status,
    headers: retryAfter(error),
    body: { ...body, ...(remedy === undefined ? {} : { remedy }) },
  };
}
