import type { Row } from "./row.ts";

/** What a measurement gets. */
interface MeasureContext {
  /** The checkout. */
  root: string;
  /** Aborts when the user interrupts; what was started is then ended. */
  signal: AbortSignal;
  /** How long load is applied. */
  seconds: number;
}

export type Measure = (context: MeasureContext) => Promise<Omit<Row, "name">[]>;

export interface Measurement {
  name: string;
  summary: string;
  /** Loads it: one measurement does not pay for what another needs. */
  load(): Promise<Measure>;
}
