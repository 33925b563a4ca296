import { HttpProblem } from "../problems/http-problem.ts";

/** Positions in the log of a run: milliseconds and a count, both up to 64 bits. */
function partsOf(id: string): [bigint, bigint] {
  const [time = "0", count = "0"] = id.split("-");
  return [BigInt(time), BigInt(count)];
}

/** Negative where `a` lies before `b`, 0 where they are one. */
export function comparePositions(a: string, b: string): number {
  const [timeA, countA] = partsOf(a);
  const [timeB, countB] = partsOf(b);
  if (timeA !== timeB) return timeA < timeB ? -1 : 1;
  if (countA === countB) return 0;
  return countA < countB ? -1 : 1;
}

const most = 2n ** 64n;

/** The position that a client was at, or null where it begins. @throws HttpProblem 400 */
export function parsePosition(header: unknown): string | null {
  if (header === undefined || header === "") return null;
  if (typeof header === "string" && /^\d{1,20}-\d{1,20}$/.test(header)) {
    if (partsOf(header).every((part) => part < most)) return header;
  }
  throw new HttpProblem({
    status: 400,
    code: "invalid_input",
    detail: "The Last-Event-ID is not one of ours.",
  });
}
