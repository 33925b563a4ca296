import { meetsTarget, type Row } from "./row.ts";

const columns = ["measurement", "what", "value", "base", "ratio", "target", "met"] as const;
const rightAligned: ReadonlySet<string> = new Set(["value", "ratio", "target"]);

/** A number to three digits or so: what lies beyond is noise. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function targetText(target: NonNullable<Row["target"]>): string {
  if ("below" in target) return `< ${target.below}`;
  return "atMost" in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
}

function cells(row: Row): Record<(typeof columns)[number], string> {
  const { target } = row;
  const met = meetsTarget(row);
  const amount = (value: number) => `${formatNumber(value)} ${row.unit}`.trimEnd();
  return {
    measurement: row.name,
    what: row.detail === undefined ? row.what : `${row.what} (${row.detail})`,
    value: amount(row.value),
    base: row.base === undefined ? "" : `${amount(row.base.value)}: ${row.base.what}`,
    ratio: row.ratio === undefined ? "" : `${formatNumber(row.ratio)}×`,
    target: target === undefined ? "" : targetText(target),
    met: met === undefined ? "" : met ? "yes" : "NO",
  };
}

/** The rows as a Markdown table whose columns line up. */
export function renderTable(rows: readonly Row[]): string {
  const body = rows.map(cells).map((row) => columns.map((name) => row[name].replaceAll("|", "\\|")));
  const lines = [[...columns], ...body];
  const widths = columns.map((_name, at) => Math.max(3, ...lines.map((line) => (line[at] ?? "").length)));
  const rule = columns.map((name, at) => {
    const dashes = "-".repeat(widths[at] ?? 3);
    return rightAligned.has(name) ? `${dashes.slice(1)}:` : dashes;
  });
  const padded = lines.map((line) =>
    line.map((cell, at) => {
      const width = widths[at] ?? 3;
      return rightAligned.has(columns[at] ?? "") ? cell.padStart(width) : cell.padEnd(width);
    }),
  );
  padded.splice(1, 0, rule);
  return padded.map((line) => `| ${line.join(" | ")} |`).join("\n");
}
