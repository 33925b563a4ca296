import { z } from "zod";
import { selectedSchema } from "../capabilities/selected.ts";

/** `.nova/sources_selected.json`, `.nova/urls_selected.json`: what there was to choose from, what was chosen, and how. */
export const selectionSchema = selectedSchema.extend({
  v: z.literal(1),
  /** Addresses, in the order of their numbers. */
  considered: z.array(z.string()),
  chosen: z.array(z.string()),
});
export type Selection = z.infer<typeof selectionSchema>;
