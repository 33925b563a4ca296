import { defaultTenant } from "@proofroom/contracts";

/** Who asks. */
export interface Caller {
  /** Whose runs, jobs and artifacts they see. */
  tenant: string;
  /** What tells callers apart, for limits and idempotency: the hash of a key, the subject of a token. Never a secret. */
  id: string;
}

/** Everybody, where nothing is configured: only a loopback address allows that. */
export const openCaller: Caller = { tenant: defaultTenant, id: "open" };
