/** A number as a text states it, made comparable. */
export interface NumberMention {
  start: number;
  end: number;
  /** As written, with its unit. */
  text: string;
  /** In the base unit of its dimension; versions and clock times stay text. */
  value: number | string;
  /** The figure alone, before its unit was applied. */
  figure: number | string;
  /** `time`, `bytes`, `%`, `$`, `times`, `month`…, or empty where no unit is known. */
  dimension: string;
  /** Spelled out (`three`): often a turn of phrase, so its absence weighs less. */
  spelled: boolean;
  /** Stated as a rounded figure (`about 50 %`). */
  approximate: boolean;
}

type Unit = readonly [dimension: string, factor: number];

const second = 1;
const units: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...unit("time", 1e-9, "ns nanosecond nanoseconds"),
  ...unit("time", 1e-6, "µs μs us microsecond microseconds"),
  ...unit("time", 1e-3, "ms msec millisecond milliseconds"),
  ...unit("time", second, "s sec secs second seconds"),
  ...unit("time", 60, "min mins minute minutes"),
  ...unit("time", 3_600, "h hr hrs hour hours"),
  ...unit("time", 86_400, "day days"),
  ...unit("time", 604_800, "week weeks"),
  ...unit("months", 1, "month months"),
  ...unit("months", 12, "year years yr yrs"),
  ...unit("bytes", 1, "byte bytes"),
  ...unit("bytes", 1e3, "kb kilobyte kilobytes"),
  ...unit("bytes", 1e6, "mb megabyte megabytes"),
  ...unit("bytes", 1e9, "gb gigabyte gigabytes"),
  ...unit("bytes", 1e12, "tb terabyte terabytes"),
  ...unit("bytes", 1_024, "kib"),
  ...unit("bytes", 1_024 ** 2, "mib"),
  ...unit("bytes", 1_024 ** 3, "gib"),
  ...unit("%", 1, "% percent pct"),
  ...unit("times", 1, "x × times fold"),
  ...unit("$", 1, "dollar dollars usd"),
  ...unit("€", 1, "euro euros eur"),
  ...unit("°c", 1, "°c celsius"),
  ...unit("°f", 1, "°f fahrenheit"),
  ...unit("metre", 1e-3, "mm millimetre millimetres millimeter millimeters"),
  ...unit("metre", 1e-2, "cm centimetre centimetres centimeter centimeters"),
  ...unit("metre", 1, "metre metres meter meters"),
  ...unit("metre", 1e3, "km kilometre kilometres kilometer kilometers"),
  ...unit("mile", 1, "mile miles"),
  ...unit("gram", 1e-3, "mg milligram milligrams"),
  ...unit("gram", 1, "gram grams"),
  ...unit("gram", 1e3, "kg kilogram kilograms"),
]);

function unit(dimension: string, factor: number, names: string): [string, Unit][] {
  return names.split(" ").map((name) => [name, [dimension, factor]]);
}

const multipliers: ReadonlyMap<string, number> = new Map([
  ["k", 1e3],
  ["thousand", 1e3],
  ["m", 1e6],
  ["million", 1e6],
  ["bn", 1e9],
  ["b", 1e9],
  ["billion", 1e9],
  ["trillion", 1e12],
]);

const spelledNumbers: ReadonlyMap<string, number> = new Map(
  (
    "zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
    "eighteen nineteen"
  )
    .split(" ")
    .map((word, at): [string, number] => [word, at === 0 ? 0 : at + 1])
    .concat(
      "twenty thirty forty fifty sixty seventy eighty ninety"
        .split(" ")
        .map((word, at): [string, number] => [word, (at + 2) * 10]),
      [
        ["hundred", 100],
        ["dozen", 12],
        ["twice", 2],
        ["thrice", 3],
      ],
    ),
);

/** Whether a lower-case word is a number (`three`, `dozen`). */
export function isNumberWord(word: string): boolean {
  return spelledNumbers.has(word);
}

const months = "january february march april may june july august september october november december".split(
  " ",
);

const figurePattern =
  /(?<![\p{L}\p{N}_])(?<currency>[$€£¥]\s?)?(?<version>v(?=\d+\.))?(?<figure>\d+(?:[.,:]\d+)*)(?:\s?(?<scale>thousand|million|billion|trillion|bn|[kKMB](?![\p{L}\p{N}])))?(?:(?:\s|-)?(?<unit>%|×|°[CF]|per cent|[\p{L}µμ]+))?/gu;
const wordPattern = /(?<![\p{L}\p{N}_])\p{L}+/gu;
const isoDate = /(?<![\p{N}-])(\d{4})-(\d{2})-(\d{2})(?![\p{N}-])/gu;
const rounded = /(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|over|~|≈)\s*[$€£¥]?$/iu;

/** Finds the numbers that a text states: figures with their units, versions, dates, and small number words. */
export function findNumbers(text: string): NumberMention[] {
  const mentions: NumberMention[] = [];
  const dates: { start: number; end: number }[] = [];
  for (const match of text.matchAll(isoDate)) {
    const start = match.index;
    const end = start + match[0].length;
    dates.push({ start, end });
    const [, year, month, day] = match.map(Number);
    mentions.push(
      plain(match[0], start, year ?? 0, ""),
      plain(match[0], start, month ?? 0, "month"),
      plain(match[0], start, day ?? 0, ""),
    );
  }
  for (const match of text.matchAll(figurePattern)) {
    const groups = match.groups ?? {};
    const figureAt = match.index + match[0].indexOf(groups.figure ?? "");
    if (dates.some(({ start, end }) => figureAt >= start && figureAt < end)) continue;
    mentions.push(readFigure(text, match.index, groups));
  }
  for (const match of text.matchAll(wordPattern)) {
    const word = match[0].toLowerCase();
    const value = spelledNumbers.get(word);
    if (value !== undefined) {
      mentions.push({ ...plain(match[0], match.index, value, ""), spelled: true });
      continue;
    }
    const month = months.indexOf(word) + 1;
    const around = text.slice(Math.max(0, match.index - 6), match.index + match[0].length + 6);
    if (month > 0 && /^\p{Lu}/u.test(match[0]) && /\d/.test(around)) {
      mentions.push(plain(match[0], match.index, month, "month"));
    }
  }
  return mentions.sort((a, b) => a.start - b.start);
}

function readFigure(text: string, start: number, groups: Record<string, string | undefined>): NumberMention {
  const written = groups.figure ?? "";
  const figure = readValue(written, groups.version !== undefined);
  const scale = multipliers.get(groups.scale?.toLowerCase() ?? "") ?? 1;
  const word = groups.unit?.toLowerCase().replace("per cent", "percent");
  const known = word === undefined ? undefined : units.get(word);
  const currency = groups.currency?.trim();
  const [dimension, factor] = currency !== undefined ? [currency, 1] : (known ?? ["", 1]);
  const kept = [groups.currency, groups.version, written, groups.scale && ` ${groups.scale}`];
  const shown = `${kept.map((part) => part ?? "").join("")}${known === undefined ? "" : ` ${groups.unit}`}`;
  const scaled = typeof figure === "number" ? figure * scale : figure;
  return {
    start,
    end: start + shown.length,
    text: shown.trim(),
    figure: scaled,
    value: typeof scaled === "number" ? round(scaled * factor) : scaled,
    dimension,
    spelled: false,
    approximate: rounded.test(text.slice(Math.max(0, start - 16), start)),
  };
}

function plain(text: string, start: number, value: number, dimension: string): NumberMention {
  return {
    start,
    end: start + text.length,
    text,
    value,
    figure: value,
    dimension,
    spelled: false,
    approximate: false,
  };
}

function readValue(written: string, version: boolean): number | string {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(written)) return Number(written.replaceAll(",", ""));
  if (version || !/^\d+(?:\.\d+)?$/.test(written)) return written;
  return Number(written);
}

/** Products of decimal factors differ in their last bits; nine digits are enough to compare. */
function round(value: number): number {
  return Number(value.toPrecision(9));
}

/** Whether `evidence` states the number `claim`: the same quantity, or the same figure where it has no unit. */
export function sameNumber(claim: NumberMention, evidence: NumberMention): boolean {
  if (claim.dimension === evidence.dimension) return String(claim.value) === String(evidence.value);
  if (claim.dimension !== "" && evidence.dimension !== "") return false;
  return String(claim.figure) === String(evidence.figure);
}

/** Whether `claim` says it is rounded and `evidence` is within five per cent of it. */
export function nearNumber(claim: NumberMention, evidence: NumberMention): boolean {
  if (!claim.approximate || typeof claim.value !== "number" || typeof evidence.value !== "number")
    return false;
  if (claim.dimension !== evidence.dimension) return false;
  return Math.abs(claim.value - evidence.value) <= Math.abs(evidence.value) * 0.05;
}
