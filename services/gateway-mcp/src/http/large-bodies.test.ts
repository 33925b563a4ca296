import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createLargeBodies } from "./large-bodies.ts";

function request(length?: number): IncomingMessage {
  const headers = length === undefined ? {} : { "content-length": String(length) };
  return { headers } as IncomingMessage;
}

const megabyte = 1024 * 1024;

describe("large bodies", () => {
  it("are refused for a moment while those at work are too many, and taken again when one has left", () => {
    const bodies = createLargeBodies(10 * megabyte);
    const leave = [3, 3, 3].map((size) => bodies.enter(request(size * megabyte)));
    expect(() => bodies.enter(request(2 * megabyte))).toThrow(expect.objectContaining({ status: 503 }));
    leave[0]?.();
    expect(() => bodies.enter(request(2 * megabyte))).not.toThrow();
  });

  it("that do not say how large they are count as the largest; small ones are always taken", () => {
    const bodies = createLargeBodies(5 * megabyte);
    bodies.enter(request());
    expect(() => bodies.enter(request())).toThrow();
    for (let n = 0; n < 1_000; n += 1) bodies.enter(request(1_000));
  });
});
