import { z } from "zod";
import { failureSchema, noteSchema } from "../formats/source.ts";

/** How many failures, and how many notes, a result names; all of them stand in the artifact. */
export const failuresShown = 20;

/**
 * What a capability that gathers many sources answers. What was requested was gathered or failed; of what was gathered, the
 * cache had `from_cache`, and the rest was fetched. Nothing gathered out of something asked is an `error`.
 */
export const gatherOutputSchema = z.object({
  status: z.enum(["success", "partial_success", "error"]),
  requested: z.int().nonnegative(),
  gathered: z.int().nonnegative(),
  from_cache: z.int().nonnegative().optional(),
  failed: z.int().nonnegative(),
  artifact: z.string(),
  failures: z.array(failureSchema).max(failuresShown),
  notes: z.array(noteSchema).max(failuresShown).optional(),
});
export type GatherOutput = z.infer<typeof gatherOutputSchema>;
