import { z } from "zod";

const words: Readonly<Record<string, boolean>> = {
  "1": true,
  true: true,
  yes: true,
  "0": false,
  false: false,
  no: false,
};

/** A real boolean from 1/0, true/false or yes/no; false when not set. */
export const flag = z
  .string()
  .optional()
  .transform((value, context) => {
    const meant = value === undefined ? false : words[value.toLowerCase()];
    if (meant === undefined) context.addIssue({ code: "custom", message: "must be 1 or 0" });
    return meant ?? false;
  });
