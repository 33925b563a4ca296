import { z } from "zod";
import { redisBackend } from "./redis-plan.ts";

/** What a supervisor is started with, as JSON in its only argument. */
export const supervisorOrder = z.object({
  home: z.string(),
  backend: redisBackend,
  /** Folder of an instance whose supervisor died while members live: its address and data are kept. */
  resume: z.string().optional(),
});

export type SupervisorOrder = z.infer<typeof supervisorOrder>;

/** The one line that a supervisor writes to its stdout once it knows what became of it. */
export const supervisorReport = z.discriminatedUnion("state", [
  z.object({ state: z.literal("ready") }),
  /** Another supervisor has the home. */
  z.object({ state: z.literal("held") }),
  z.object({ state: z.literal("failed"), reason: z.string() }),
]);

export type SupervisorReport = z.infer<typeof supervisorReport>;

/** What a supervisor sends to each member once Redis serves. The member's open connection is its membership. */
export const welcome = z.object({ url: z.string() });

/** What a member sends to leave; the supervisor then closes the connection, after tidying up if it was the last. */
export const LEAVE = "leave\n";
