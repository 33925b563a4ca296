import { sha256Schema } from "@proofroom/contracts";
import { z } from "zod";

/** A setting that names the keys of those who run the installation, by the sha256 of each. They are no tenant's. */
export const operatorKeys = z.string().transform((text, context) => {
  const hashes = text
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== "");
  if (!hashes.every((hash) => sha256Schema.safeParse(hash).success)) {
    context.addIssue({
      code: "custom",
      message: "must be the sha256 of each key in hex, separated by commas; never the key itself",
    });
  }
  return hashes;
});
