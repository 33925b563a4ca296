import { describe, expect, it } from "vitest";
import { alternate } from "./rounds.ts";

describe("alternating rounds", () => {
  it("begin with another subject each time, and the first ones do not count", async () => {
    const order: string[] = [];
    const subject = (name: string) => async () => order.push(name);
    const results = await alternate(
      { a: subject("a"), b: subject("b") },
      { rounds: 2, warmUp: 1, signal: new AbortController().signal },
    );
    expect(order.join("")).toBe("abbaab");
    expect(results).toEqual({ a: [4, 5], b: [3, 6] });
  });

  it("end with the signal", async () => {
    const controller = new AbortController();
    let runs = 0;
    const subject = async () => {
      runs += 1;
      controller.abort(new Error("enough"));
    };
    const rounds = alternate({ a: subject, b: subject }, { rounds: 5, warmUp: 0, signal: controller.signal });
    await expect(rounds).rejects.toThrow("enough");
    expect(runs).toBe(1);
  });
});
