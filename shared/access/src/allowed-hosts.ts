import { z } from "zod";
import { isHostName } from "./asked-host.ts";

/** A setting that names the hosts by which a gateway may be reached besides those of loopback. */
export const allowedHosts = z.string().transform((text, context) => {
  const names = text
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  if (!names.every(isHostName))
    context.addIssue({
      code: "custom",
      message: "must be names of hosts, without ports, separated by commas",
    });
  return names;
});
