import { HttpProblem } from "../problems/http-problem.ts";

export const positionPattern = /^\d{1,20}-\d{1,20}$/;

const most = 2n ** 64n;

/** The position in the log of a run that a client was at, or null where it begins. @throws HttpProblem 400 */
export function parsePosition(header: unknown): string | null {
  if (header === undefined || header === "") return null;
  if (typeof header === "string" && positionPattern.test(header)) {
    if (header.split("-").every((part) => BigInt(part) < most)) return header;
  }
  throw new HttpProblem({
    status: 400,
    code: "invalid_input",
    detail: "The Last-Event-ID is not one of ours.",
  });
}
