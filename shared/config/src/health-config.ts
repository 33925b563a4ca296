import { z } from "zod";

/** Where a process tells of its health, as far as somebody said so. */
export const healthConfig = z
  .object({
    PROOFROOM_HEALTH_HOST: z.string().optional(),
    PROOFROOM_HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  })
  .transform((env) => ({ health: { host: env.PROOFROOM_HEALTH_HOST, port: env.PROOFROOM_HEALTH_PORT } }));
