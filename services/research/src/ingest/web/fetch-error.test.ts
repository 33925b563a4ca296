import { ProofroomError } from "@proofroom/contracts";
import { describe, expect, test } from "vitest";
import { refusedStatus, unreachable } from "./fetch-error.ts";

const wrapped = (cause: unknown) => new TypeError("fetch failed", { cause });
const coded = (code: string) => Object.assign(new Error("https://user:secret@host"), { code });
const noon = new Date("2026-03-01T12:00:00Z");

describe("unreachable", () => {
  test("finds our own error in the chain of causes", () => {
    const own = new ProofroomError({ code: "private_address", message: "no" });
    expect(unreachable(wrapped(wrapped(own)))).toBe(own);
  });

  test("a certificate that is not valid stays so; a broken connection is tried again", () => {
    for (const code of ["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID"]) {
      expect(unreachable(wrapped(coded(code)))).toMatchObject({
        code: "unreachable",
        disposition: { kind: "fail" },
      });
    }
    expect(unreachable(wrapped(coded("ECONNRESET"))).disposition).toEqual({ kind: "retry" });
  });

  test("foreign words stay out of the message", () => {
    expect(unreachable(wrapped(coded("ECONNREFUSED"))).message).not.toContain("secret");
  });
});

describe("refusedStatus", () => {
  test.each([
    [404, {}, "not_found", { kind: "fail" }],
    [410, {}, "not_found", { kind: "fail" }],
    [401, {}, "unreachable", { kind: "fail" }],
    [304, {}, "unreachable", { kind: "fail" }],
    [408, {}, "unreachable", { kind: "retry" }],
    [502, {}, "unreachable", { kind: "retry" }],
    [429, { "retry-after": "soon" }, "unreachable", { kind: "retry" }],
    [429, { "retry-after": "0" }, "unreachable", { kind: "retry" }],
    [503, { "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, "unreachable", { kind: "retry" }],
    [503, { "retry-after": "61" }, "unreachable", { kind: "retry_after", delayMs: 60_000 }],
    [403, { "cf-mitigated": "challenge" }, "unreachable", { kind: "fail" }],
  ])("status %d with %j is %s, to %j", (status, headers, code, disposition) => {
    expect(refusedStatus(status, new Headers(headers as Record<string, string>), noon)).toMatchObject({
      code,
      disposition,
    });
  });
});
