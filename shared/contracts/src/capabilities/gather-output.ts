import { z } from "zod";
import { failureSchema } from "../formats/source.ts";

/** How many failures a result names; all of them stand in the artifact. */
export const failuresShown = 20;

/** What a capability that gathers many sources answers. Nothing gathered out of something asked is an `error`. */
export const gatherOutputSchema = z.object({
  status: z.enum(["success", "partial_success", "error"]),
  requested: z.int().nonnegative(),
  gathered: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  artifact: z.string(),
  failures: z.array(failureSchema).max(failuresShown),
});
export type GatherOutput = z.infer<typeof gatherOutputSchema>;
