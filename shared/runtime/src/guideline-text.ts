import { z } from "zod";

/** The text of a guideline as a client may give it, whichever way it comes. */
export const guidelineTextSchema = z
  .string()
  .min(1)
  .max(1_000_000)
  .regex(/\S/, "must say something")
  .refine((text) => text.isWellFormed(), "must be well-formed Unicode");
