import { errorCodes, ProofroomError } from "@proofroom/contracts";
import { describe, expect, it } from "vitest";
import { statusByCode, toProblem } from "./to-problem.ts";

describe("an error's HTTP form", () => {
  it("has a status for every code", () => {
    for (const code of errorCodes) {
      const { status, body } = toProblem(new ProofroomError({ code, message: "m" }));
      expect(status).toBe(statusByCode[code]);
      expect(body).toEqual({
        type: `urn:proofroom:problem:${code}`,
        title: expect.any(String),
        status,
        code,
        detail: "m",
      });
    }
  });

  it("tells when to come back where it knows, in whole seconds", () => {
    const after = (delayMs: number) =>
      toProblem(
        new ProofroomError({ code: "quota", message: "m", disposition: { kind: "retry_after", delayMs } }),
      ).headers["retry-after"];
    expect([after(1), after(1_500), after(60_000)]).toEqual(["1", "2", "60"]);
    const away = toProblem(new ProofroomError({ code: "dependency_down", message: "m" }));
    expect(away.headers["retry-after"]).toBe("1");
  });

  it("never shows a foreign text", () => {
    const foreign = [
      new Error("hunter2"),
      Object.assign(new Error("hunter2"), { statusCode: 400 }),
      Object.assign(new Error("hunter2"), { statusCode: 418, code: "FST_ERR_NEW" }),
      Object.assign(new Error("hunter2"), { statusCode: 500, code: "FST_ERR_NEW" }),
      "hunter2",
      null,
    ];
    for (const thrown of foreign) expect(JSON.stringify(toProblem(thrown))).not.toContain("hunter2");
    expect(foreign.map((thrown) => toProblem(thrown).status)).toEqual([500, 500, 418, 500, 500, 500]);
  });
});
