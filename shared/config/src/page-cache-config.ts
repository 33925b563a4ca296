import { z } from "zod";

const seconds: Readonly<Record<string, number>> = { s: 1, h: 3_600, d: 86_400 };
const longest = 90 * 86_400;

/** How old a fetched page may be that serves another run: milliseconds, or null where each run fetches for itself. */
export const pageCacheConfig = z
  .object({ PROOFROOM_PAGE_CACHE: z.string().default("7d") })
  .transform((env, context) => {
    const text = env.PROOFROOM_PAGE_CACHE.trim().toLowerCase();
    if (text === "off") return { pageCacheMs: null };
    const [, count, unit] = /^(\d{1,8})([shd])$/.exec(text) ?? [];
    const age = Number(count) * (seconds[unit ?? ""] ?? Number.NaN);
    if (age >= 1 && age <= longest) return { pageCacheMs: age * 1_000 };
    context.addIssue({
      code: "custom",
      path: ["PROOFROOM_PAGE_CACHE"],
      message: "must be off, or an age such as 7d, 12h or 600s, 90d at the most",
    });
    return z.NEVER;
  });
