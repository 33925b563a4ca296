import { z } from "zod";

/** Where runs, the private Redis's data and caches live. Relative paths are resolved by the `main.ts`, which knows the checkout. */
export const homeConfig = z
  .object({ PROOFROOM_HOME: z.string().default(".proofroom") })
  .transform((env) => ({ home: env.PROOFROOM_HOME }));
