import { join } from "node:path";
import { proofroom } from "./command-line.ts";
import type { Measure } from "./measurement.ts";
import { type ProcessCost, processCost } from "./run-process.ts";
import { median } from "./statistics.ts";
import { inTempHome } from "./temp-home.ts";

const runs = 3;

/** `proofroom write --example`, each run in a new home: seconds, and memory and processor time of the process that hosts all. */
export const measureExample: Measure = async ({ root, signal }) => {
  const costs: ProcessCost[] = [];
  for (let run = 0; run < runs; run += 1) {
    const cost = await inTempHome((home) =>
      processCost(proofroom(root, "write", "--example", "--json", "--out", join(home, "out")), {
        home,
        signal,
      }),
    );
    if (cost.code !== 0) throw new Error(`proofroom write --example ended with ${cost.code}`);
    costs.push(cost);
  }
  const of = (pick: (cost: ProcessCost) => number) => median(costs.map(pick));
  const what = (what: string) => `write --example, ${what}`;
  return [
    { what: what("start to end"), value: of((cost) => cost.wallSeconds), unit: "s", target: { below: 30 } },
    {
      what: what("peak resident memory"),
      value: of((cost) => cost.peakMb),
      unit: "MB",
      target: { below: 600 },
    },
    { what: what("processor time"), value: of((cost) => cost.cpuSeconds), unit: "s" },
    { what: what("processor time of what it started"), value: of((cost) => cost.childrenSeconds), unit: "s" },
  ];
};
