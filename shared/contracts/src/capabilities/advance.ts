import { z } from "zod";
import { defineCapability } from "../capability.ts";
import { localHints } from "./policies.ts";

/** The orchestrator's own job: look at the ledger of a run and submit what comes next. */
export const advance = defineCapability({
  name: "advance",
  owner: "orchestrator",
  surface: "internal",
  title: "Advance a run",
  summary: "Plans from the run's ledger and submits the next steps, or records how the run ended.",
  version: 1,
  input: z.object({
    /** Set by who set the run in motion: one that has ended meanwhile is opened again if it has something to do. */
    reopen: z.enum(["resume", "retry"]).optional(),
  }),
  output: z.object({}),
  reads: [],
  writes: [],
  policy: { attempts: 5, timeoutMs: 60_000, backoffMs: 500, concurrency: 4 },
  hints: localHints,
});
