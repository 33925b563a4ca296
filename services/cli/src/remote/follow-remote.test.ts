import { expect, it } from "vitest";
import type { ProgressView } from "../output/progress.ts";
import { followRemote } from "./follow-remote.ts";
import type { GatewayClient } from "./gateway-client.ts";
import type { RemoteRun } from "./remote-run.ts";

it("a run that waits for a quota is watched on when its stream ends, one that waits for a budget has ended", async () => {
  const statuses = ["running", "waiting_quota", "waiting_budget", "succeeded"];
  const asked: string[] = [];
  const client = {
    url: "http://127.0.0.1:8080",
    events: async () => undefined,
    async run() {
      const status = statuses[asked.length] ?? "";
      asked.push(status);
      return { status, steps: [] } as unknown as RemoteRun;
    },
  } as unknown as GatewayClient;
  const view = { show: () => undefined, close: () => undefined } as unknown as ProgressView;
  const run = await followRemote({
    client,
    runId: "run_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    view,
    signal: new AbortController().signal,
    typed: (command) => command,
    note: () => undefined,
  });
  expect(run.status).toBe("waiting_budget");
  expect(asked).toEqual(["running", "waiting_quota", "waiting_budget"]);
});
