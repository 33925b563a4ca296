import { expect, it } from "vitest";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = "00f067aa0ba902b7";

it("reads what it writes, and what later versions write", () => {
  const ref = { traceId: trace, spanId: span, sampled: true };
  expect(parseTraceparent(formatTraceparent(ref))).toEqual(ref);
  expect(parseTraceparent(`cc-${trace}-${span}-00-more`)).toEqual({ ...ref, sampled: false });
});

it.each([
  undefined,
  "",
  "words",
  `00-${trace}-${span}`,
  `00-${trace}-${span}-01-more`,
  `ff-${trace}-${span}-01`,
  `00-${"0".repeat(32)}-${span}-01`,
  `00-${trace}-${"0".repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
])("takes %j for none", (text) => {
  expect(parseTraceparent(text)).toBeNull();
});
