import type { SpanRecord } from "@proofroom/telemetry";
import { describe, expect, it } from "vitest";
import { plainText } from "./plain-text.ts";
import { durationText, treesOf, waterfall } from "./waterfall.ts";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";

function span(id: number, parent: number | null, changes: Partial<SpanRecord> = {}): SpanRecord {
  const hex = (n: number) => n.toString(16).padStart(16, "0");
  return {
    trace_id: trace,
    span_id: hex(id),
    ...(parent === null ? {} : { parent_id: hex(parent) }),
    name: `span ${id}`,
    kind: "internal",
    service: "test",
    start_us: 1_000_000 * id,
    duration_us: 1_000_000,
    failed: false,
    attributes: {},
    ...changes,
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are none of what is tested
const colourless = (lines: string[]) => lines.map((line) => plainText(line).replace(/\u001b\[\d+m/g, ""));

function drawn(spans: SpanRecord[], all = false): string[] {
  return colourless(treesOf(spans).flatMap(({ rows }) => waterfall(rows, all)));
}

describe("the waterfall", () => {
  it("shows when each span began, how long it took, where on the time of the whole, and inside what", () => {
    expect(drawn([span(0, null, { duration_us: 4_000_000 }), span(1, 0), span(3, 1)])).toEqual([
      "   0.00 s     4.0 s │━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━│ span 0",
      "   1.00 s     1.0 s │        ━━━━━━━━                │   span 1",
      "   3.00 s     1.0 s │                        ━━━━━━━━│     span 3",
    ]);
  });

  it("says how attempts ended, which model answered after what, and what it took", () => {
    const lines = drawn([
      span(0, null, {
        failed: true,
        attributes: { "proofroom.attempt": 2, "error.type": "timeout", "proofroom.disposition": "retry" },
      }),
      span(1, null, {
        attributes: { "proofroom.model.answered_by": "two" },
        events: [{ name: "failover", at_us: 1, attributes: { "gen_ai.request.model": "m2" } }],
      }),
      span(2, null, {
        attributes: {
          "gen_ai.usage.input_tokens": 10,
          "gen_ai.usage.output_tokens": 3,
          "gen_ai.usage.cost": 0.0012,
        },
      }),
    ]);
    expect(lines.map((line) => line.split("│ ").at(-1))).toEqual([
      "span 0  attempt 2; failed: timeout; retry",
      "span 1  answered by two; failover to m2",
      "span 2  10 → 3 tokens; $0.0012",
    ]);
  });

  it("leaves out what only carries jobs and texts about, unless all of it is wanted", () => {
    const spans = [
      span(0, null),
      span(1, 0, { kind: "producer" }),
      span(2, 0, { attributes: { "proofroom.store.key": "k", "proofroom.bytes": 7 } }),
    ];
    expect(drawn(spans)).toHaveLength(1);
    expect(drawn(spans, true)[2]).toContain("span 2  7 bytes");
  });

  it("begins a tree where the parent is another system's, and keeps traces apart", () => {
    const other = "5bf92f3577b34da6a3ce929d0e0e4736";
    const trees = treesOf([span(1, 99), span(2, 1), span(3, null, { trace_id: other })]);
    expect(trees.map(({ traceId, rows }) => [traceId, rows.map(({ depth }) => depth)])).toEqual([
      [trace, [0, 1]],
      [other, [0]],
    ]);
  });

  it.each([
    [400, "0 ms"],
    [12_345, "12 ms"],
    [1_500_000, "1.5 s"],
    [125_000_000, "2 min 5 s"],
  ])("says %i microseconds as %s", (us, text) => {
    expect(durationText(us)).toBe(text);
  });
});
