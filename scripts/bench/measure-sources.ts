import { runEventSchema } from "../../shared/contracts/src/index.ts";
import { proofroom } from "./command-line.ts";
import type { Measure } from "./measurement.ts";
import { writeNotesGuideline } from "./notes-guideline.ts";
import { alternate } from "./rounds.ts";
import { processCost } from "./run-process.ts";
import { median, pairedRatio } from "./statistics.ts";
import { inTempHome } from "./temp-home.ts";

const many = 100;

/** Seconds from the start of `proofroom write` until research.md is there; what follows is interrupted. */
async function secondsToResearch(root: string, count: number, signal: AbortSignal): Promise<number> {
  return inTempHome(async (home) => {
    const guideline = await writeNotesGuideline(home, count);
    const start = performance.now();
    let seconds: number | undefined;
    await processCost(proofroom(root, "write", guideline, "--events"), {
      home,
      signal,
      onLine(line, child) {
        const event = runEventSchema.safeParse(JSON.parse(line));
        if (seconds !== undefined || !event.success || event.data.artifact !== "research.md") return;
        seconds = (performance.now() - start) / 1_000;
        child.kill("SIGINT");
      },
    });
    if (seconds === undefined) throw new Error(`With ${count} notes there was no research.md.`);
    return seconds;
  });
}

/** A guideline with a hundred small local notes against one with a single note, each as a process with all services. */
export const measureSources: Measure = async ({ root, signal }) => {
  const { hundred, one } = await alternate(
    {
      hundred: () => secondsToResearch(root, many, signal),
      one: () => secondsToResearch(root, 1, signal),
    },
    { rounds: 3, warmUp: 0, signal },
  );
  const more = hundred.map((seconds, round) => ((seconds - (one[round] ?? Number.NaN)) / (many - 1)) * 1_000);
  return [
    {
      what: `${many} notes, start to research.md`,
      value: median(hundred),
      unit: "s",
      base: { what: "one note", value: median(one) },
      ratio: pairedRatio(hundred, one),
    },
    { what: "each note more", value: median(more), unit: "ms" },
  ];
};
