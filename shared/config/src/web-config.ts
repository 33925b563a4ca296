import { z } from "zod";
import { apiKey, baseUrl, requestTimeout } from "./provider-fields.ts";

/** A job that fetches a page has five minutes in all, for two tries of Firecrawl and one of this machine. */
const pageTimeout = requestTimeout.refine((timeoutMs) => timeoutMs <= 120_000, {
  error: "must be 120 seconds at most",
});

/** How web pages are fetched: through Firecrawl where that is set, else by this machine. */
export const webConfig = z
  .object({
    FIRECRAWL_API_KEY: apiKey.optional(),
    /** Of a Firecrawl of one's own, which needs no key. */
    FIRECRAWL_API_URL: baseUrl.optional(),
    /** How long Firecrawl may take over one page, in seconds. */
    FIRECRAWL_TIMEOUT: pageTimeout.default(60_000),
    /** How long this machine may take over one page, redirects included, in seconds. */
    PROOFROOM_FETCH_TIMEOUT: pageTimeout.default(20_000),
    PROOFROOM_ROBOTS: z.enum(["on", "off"]).default("on"),
    /** A Chromium that is not on the PATH, or `off` for none. */
    PROOFROOM_CHROMIUM: z.string().optional(),
    /** The most pages of one site. */
    PROOFROOM_SITE_PAGES: z.coerce.number().int().min(1).max(500).default(20),
    PATH: z.string().default(""),
  })
  .transform((env) => ({
    web: {
      firecrawl:
        env.FIRECRAWL_API_KEY === undefined && env.FIRECRAWL_API_URL === undefined
          ? undefined
          : {
              apiKey: env.FIRECRAWL_API_KEY,
              baseUrl: env.FIRECRAWL_API_URL ?? "https://api.firecrawl.dev",
              timeoutMs: env.FIRECRAWL_TIMEOUT,
            },
      timeoutMs: env.PROOFROOM_FETCH_TIMEOUT,
      robots: env.PROOFROOM_ROBOTS === "on",
      chromium: { given: env.PROOFROOM_CHROMIUM, searchPath: env.PATH },
      sitePages: env.PROOFROOM_SITE_PAGES,
    },
  }));
