import { join } from "node:path";
import { proofroom } from "./command-line.ts";
import { heavyLibraries, loadedOf } from "./loaded-packages.ts";
import type { Measure } from "./measurement.ts";
import { writeNotesGuideline } from "./notes-guideline.ts";
import { alternate } from "./rounds.ts";
import { processCost, processLoads } from "./run-process.ts";
import { median, pairedRatio } from "./statistics.ts";
import { inTempHome } from "./temp-home.ts";

/** The exit code of `proofroom write` where the article is a draft; whether it is does not matter here. */
const draft = 3;

/** What a guideline of Markdown notes has no use for. */
const uselessForMarkdown = ["@aws-sdk/", "mammoth", "repomix", "unpdf"];

/**
 * What looking at runs costs as whole processes, against a Node that does nothing, in a home with one finished run; and which heavy
 * libraries were loaded for it, and for writing from Markdown notes.
 */
export const measureStartup: Measure = ({ root, signal }) =>
  inTempHome(async (home) => {
    const options = { home, signal };
    const guideline = await writeNotesGuideline(home, 3);
    const writing = await processLoads(
      proofroom(root, "write", guideline, "--json", "--out", join(home, "out")),
      options,
    );
    if (writing.code !== 0 && writing.code !== draft)
      throw new Error(`proofroom write ended with ${writing.code}`);
    const { run_id }: { run_id: string } = JSON.parse(writing.stdout);
    const listing = await processLoads(proofroom(root, "list"), options);
    const showing = await processLoads(proofroom(root, "status", run_id), options);
    const cost =
      (...args: string[]) =>
      async () => {
        const result = await processCost(args, options);
        if (result.code !== 0) throw new Error(`${args.join(" ")} ended with ${result.code}`);
        return result;
      };
    const costs = await alternate(
      {
        node: cost("-e", "0"),
        list: cost(...proofroom(root, "list")),
        status: cost(...proofroom(root, "status", run_id)),
        launched: cost(join(root, "services/cli/bin/proofroom.mjs"), "list"),
      },
      { rounds: 11, warmUp: 1, signal },
    );
    const row = (
      what: string,
      of: "list" | "status" | "launched",
      measure: "wallSeconds" | "cpuSeconds" | "peakMb",
    ) => {
      const values = costs[of].map((one) => one[measure]);
      const base = costs.node.map((one) => one[measure]);
      return {
        what,
        value: median(values),
        unit: measure === "peakMb" ? "MB" : "s",
        base: { what: "node -e 0", value: median(base) },
        ratio: pairedRatio(values, base),
      };
    };
    const loads = (what: string, libraries: readonly string[], urls: readonly string[]) => {
      const loaded = loadedOf(libraries, urls);
      const detail = loaded.length === 0 ? {} : { detail: loaded.join(", ") };
      return { what, value: loaded.length, unit: "packages", ...detail };
    };
    return [
      row("list, start to end", "list", "wallSeconds"),
      row("list, processor time", "list", "cpuSeconds"),
      row("list, peak resident memory", "list", "peakMb"),
      row("status, start to end", "status", "wallSeconds"),
      row("status, processor time", "status", "cpuSeconds"),
      row("status, peak resident memory", "status", "peakMb"),
      row("list with the launcher, start to end", "launched", "wallSeconds"),
      { ...loads("heavy libraries loaded by list", heavyLibraries, listing.urls), target: { atMost: 0 } },
      loads("heavy libraries loaded by status", heavyLibraries, showing.urls),
      {
        ...loads("useless libraries loaded by write of Markdown", uselessForMarkdown, writing.urls),
        target: { atMost: 0 },
      },
      loads("heavy libraries loaded by write of Markdown", heavyLibraries, writing.urls),
    ];
  });
