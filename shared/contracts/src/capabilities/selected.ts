import { z } from "zod";

/** How a selection came about. */
export const selectedSchema = z.object({
  /** The model, or `extractive` where rules made it. */
  selected_by: z.string(),
  /** Whether rules had to stand in for a model. */
  degraded: z.boolean(),
  /** Why, where they had to. */
  reason: z.string().nullable(),
});
