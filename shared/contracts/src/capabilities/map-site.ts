import { z } from "zod";
import { defineCapability } from "../capability.ts";
import { fetchPolicy, outsideHints } from "./policies.ts";

export const mapSite = defineCapability({
  name: "map_site",
  owner: "research",
  surface: "internal",
  title: "Find the pages of a site",
  summary:
    "Lists the pages below an address that ends with /*, within the limits for one site. The pages themselves are fetched by jobs of their own.",
  version: 1,
  input: z.object({ site: z.string() }),
  output: z.object({ pages: z.int().nonnegative(), artifact: z.string() }),
  reads: [],
  writes: [".nova/sites/*"],
  policy: fetchPolicy,
  hints: outsideHints,
});
