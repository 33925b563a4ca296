import { defaultTenant, tenantSchema } from "@proofroom/contracts";
import { z } from "zod";

/** An API key as it is kept: never the key itself. */
export interface ApiKey {
  tenant: string;
  /** Of the key, in lower-case hex. */
  sha256: string;
}

function keyOf(text: string): ApiKey | null {
  const [hash = "", tenant = defaultTenant, ...rest] = text.split(":").reverse();
  const sha256 = hash.trim().toLowerCase();
  const valid = rest.length === 0 && /^[0-9a-f]{64}$/.test(sha256);
  const named = tenantSchema.safeParse(tenant.trim());
  return valid && named.success ? { tenant: named.data, sha256 } : null;
}

const apiKeys = z.string().transform((text, context) => {
  const parts = text.split(",").filter((part) => part.trim() !== "");
  const keys = parts.map(keyOf).filter((key) => key !== null);
  // A list of nothing is a mistake, and would leave the door open.
  if (keys.length < parts.length || (parts.length === 0 && text !== "")) {
    context.addIssue({
      code: "custom",
      message:
        "must be TENANT:SHA256 or SHA256, separated by commas; the sha256 of each key in hex, never the key itself",
    });
  }
  if (new Set(keys.map(({ sha256 }) => sha256)).size < keys.length) {
    context.addIssue({ code: "custom", message: "must not name the same key twice" });
  }
  return keys;
});

/**
 * Who may ask a gateway, and how much. `PROOFROOM_RATE` is the number of requests a second that one caller may send
 * to one replica.
 */
export const accessConfig = z
  .object({
    PROOFROOM_API_KEYS: apiKeys.prefault(""),
    PROOFROOM_RATE: z.coerce.number().positive().max(100_000).default(50),
  })
  .transform((env) => ({ apiKeys: env.PROOFROOM_API_KEYS, ratePerSecond: env.PROOFROOM_RATE }));

export type AccessConfig = z.output<typeof accessConfig>;
