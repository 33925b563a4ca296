import { errorCodes, ProofroomError } from "@proofroom/contracts";
import { describe, expect, it } from "vitest";
import { exitCodeOf, failureText, publicErrorOf } from "./failure.ts";

describe("an error at the command line", () => {
  it("never ends with 0, whatever its code", () => {
    for (const code of errorCodes) expect(exitCodeOf({ code })).toBeGreaterThan(0);
  });

  it("is one line what and one line how to mend", () => {
    const error = publicErrorOf(new ProofroomError({ code: "quota", message: "No.", remedy: "Wait." }));
    expect(failureText(error)).toBe("error: No.\n  fix: Wait.");
    expect(exitCodeOf(error)).toBe(4);
  });

  it("shows nothing of a foreign error's text", () => {
    expect(failureText(publicErrorOf(new Error("token=abc")))).not.toContain("abc");
  });
});
