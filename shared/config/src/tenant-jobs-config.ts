import { z } from "zod";

/** How many jobs of one queue a tenant may have at work at one time, over all workers; null is any number. */
export const tenantJobsConfig = z
  .object({ PROOFROOM_TENANT_JOBS: z.coerce.number().int().min(1).max(10_000).optional() })
  .transform((env) => ({ tenantJobs: env.PROOFROOM_TENANT_JOBS ?? null }));
