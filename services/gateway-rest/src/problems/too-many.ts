import { HttpProblem } from "./http-problem.ts";

/** @param seconds after which the next request may be sent */
export function tooMany(detail: string, seconds: number): HttpProblem {
  return new HttpProblem({
    status: 429,
    code: "quota",
    detail,
    headers: { "retry-after": String(Math.ceil(seconds)) },
  });
}
