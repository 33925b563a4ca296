import { describe, expect, it } from "vitest";
import { meetsTarget, type Row } from "./row.ts";
import { formatNumber, renderTable } from "./table.ts";

const row: Row = { name: "example", what: "a run", value: 12.345, unit: "s" };

describe("the table", () => {
  it("shows value, base, ratio and target in one line each, with all columns in line", () => {
    const text = renderTable([
      { ...row, base: { what: "nothing", value: 2 }, ratio: 6.1725, target: { below: 30 } },
      {
        name: "startup",
        what: "heavy | libraries",
        value: 2,
        unit: "",
        detail: "one, two",
        target: { atMost: 0 },
      },
    ]);
    const lines = text.split("\n");
    expect(lines).toHaveLength(4);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(lines[2]?.split("|").map((cell) => cell.trim())).toEqual([
      "",
      "example",
      "a run",
      "12.3 s",
      "2 s: nothing",
      "6.17×",
      "< 30",
      "yes",
      "",
    ]);
    expect(lines[3]).toContain("heavy \\| libraries (one, two)");
    expect(lines[3]).toMatch(/≤ 0 \| NO +\|$/);
  });

  it("leaves blank what a row does not have", () => {
    expect(renderTable([row]).split("\n")[2]).toMatch(/12\.3 s \| +\| +\| +\| +\|$/);
  });
});

describe("a target", () => {
  it("holds its limit, or excludes it", () => {
    expect(meetsTarget({ ...row, value: 40, target: { atMost: 40 } })).toBe(true);
    expect(meetsTarget({ ...row, value: 40, target: { below: 40 } })).toBe(false);
    expect(meetsTarget({ ...row, value: 41, target: { atMost: 40 } })).toBe(false);
    expect(meetsTarget({ ...row, value: 0.9, target: { atLeast: 0.9 } })).toBe(true);
    expect(meetsTarget({ ...row, value: 0.89, target: { atLeast: 0.9 } })).toBe(false);
    expect(meetsTarget(row)).toBeUndefined();
  });
});

describe("a number", () => {
  it.each([
    [0, "0"],
    [1234, "1234"],
    [0.1234, "0.12"],
    [9.876, "9.88"],
    [98.76, "98.8"],
    [987.6, "988"],
  ])("%d is shown as %s", (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});
