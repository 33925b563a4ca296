/** What tells the series of a metric apart. The values are names of ours, so that there are few: nothing that a client chose. */
export type Labels = Readonly<Record<string, string>>;

export interface Metric {
  /** In the text format of Prometheus, version 0.0.4. */
  text(): string;
}

export interface Counter extends Metric {
  add(labels: Labels, by?: number): void;
}

export interface Histogram extends Metric {
  observe(labels: Labels, value: number): void;
}

interface Series {
  count: number;
  sum: number;
  /** How many values lie at or below each bound. */
  buckets: number[];
}

function seriesOf(name: string, labels: Labels): string {
  const escaped = (value: string) => value.replace(/[\\"\n]/g, (at) => (at === "\n" ? "\\n" : `\\${at}`));
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

function family(
  name: string,
  help: string,
  kind: "counter" | "gauge" | "histogram",
  lines: string[],
): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines, ""].join("\n");
}

/** What is measured at the moment it is asked for, in the text format of Prometheus. */
export function gaugeText(name: string, help: string, values: Iterable<readonly [Labels, number]>): string {
  return family(
    name,
    help,
    "gauge",
    [...values].map(([labels, value]) => `${seriesOf(name, labels)} ${value}`),
  );
}

export function createCounter(name: string, help: string): Counter {
  const counts = new Map<string, number>();
  return {
    add(labels, by = 1) {
      const series = seriesOf(name, labels);
      counts.set(series, (counts.get(series) ?? 0) + by);
    },
    text: () =>
      family(
        name,
        help,
        "counter",
        [...counts].map(([series, count]) => `${series} ${count}`),
      ),
  };
}

/** @param bounds upper bounds of the buckets, rising; one without a bound is added */
export function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const all = new Map<string, { labels: Labels; series: Series }>();
  return {
    observe(labels, value) {
      const key = seriesOf(name, labels);
      const known = all.get(key) ?? { labels, series: { count: 0, sum: 0, buckets: bounds.map(() => 0) } };
      known.series.count += 1;
      known.series.sum += value;
      known.series.buckets = known.series.buckets.map((n, at) => n + (value <= (bounds[at] ?? 0) ? 1 : 0));
      all.set(key, known);
    },
    text() {
      const lines = [...all.values()].flatMap(({ labels, series: { count, sum, buckets } }) => [
        ...buckets.map(
          (n, at) => `${seriesOf(`${name}_bucket`, { ...labels, le: String(bounds[at]) })} ${n}`,
        ),
        `${seriesOf(`${name}_bucket`, { ...labels, le: "+Inf" })} ${count}`,
        `${seriesOf(`${name}_sum`, labels)} ${sum}`,
        `${seriesOf(`${name}_count`, labels)} ${count}`,
      ]);
      return family(name, help, "histogram", lines);
    },
  };
}
