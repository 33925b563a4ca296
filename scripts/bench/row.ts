/** One line of the result. */
export interface Row {
  /** The measurement that it belongs to. */
  name: string;
  /** What was measured. */
  what: string;
  value: number;
  unit: string;
  /** What stands behind the value, where a number does not say it. */
  detail?: string;
  /** What it is compared with, in the same unit. */
  base?: { what: string; value: number };
  /** The value in multiples of the base: the median over paired rounds. */
  ratio?: number;
  /** What the value should be, where that was laid down. */
  target?: { below: number } | { atMost: number } | { atLeast: number };
}

/** Whether the value is as it should be; undefined where nothing was laid down. */
export function meetsTarget({ value, target }: Row): boolean | undefined {
  if (target === undefined) return undefined;
  if ("below" in target) return value < target.below;
  return "atMost" in target ? value <= target.atMost : value >= target.atLeast;
}
