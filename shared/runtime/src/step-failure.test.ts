import { ProofroomError, verifyCitations } from "@proofroom/contracts";
import type { Delivery, EventLog } from "@proofroom/queue";
import type { Logger } from "@proofroom/telemetry";
import { expect, it } from "vitest";
import type { Ledger } from "./ledger.ts";
import { noteFailure } from "./step-failure.ts";

const job = {
  v: 1,
  run_id: `run_${"0".repeat(26)}`,
  capability: verifyCitations.name,
  step_id: "s",
  generation: 1,
};

/** What is logged of a step that failed for this cause. */
async function logged(cause: Error): Promise<string> {
  const entries: unknown[] = [];
  const log = { warn: (entry: unknown) => entries.push(entry) } as unknown as Logger;
  const events = { publish: () => undefined } as unknown as EventLog;
  const ledger = { fail: async () => undefined } as unknown as Ledger;
  const delivery = { job, lastAttempt: true } as unknown as Delivery;
  const ref = { stepId: "s", generation: 1 };
  const error = new ProofroomError({ code: "internal", message: "public", cause });
  await noteFailure({ events, log }, ledger, { ref, attempt: "1", delivery }, error);
  return JSON.stringify(entries);
}

it("a failure is logged with the kind and place of its cause, and not with its words, whatever they look like", async () => {
  for (const message of [
    "secret",
    "no\n    at secret (secret:1:1)\n    at secret",
    "no\n\n    at secret\n",
  ]) {
    const text = await logged(new TypeError(message));
    expect(text).toContain("TypeError");
    expect(text).toContain("step-failure.test.ts");
    expect(text).not.toContain("secret");
  }
  const changed = new TypeError("secret");
  changed.message = "other";
  expect(await logged(changed)).not.toContain("secret");
});
