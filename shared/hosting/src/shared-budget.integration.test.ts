import { readFileSync } from "node:fs";
import { createFsStore } from "@proofroom/artifacts";
import { openOutsideCalls, openSpending } from "@proofroom/models";
import { connect, createBudgetHolds, disconnect } from "@proofroom/queue";
import { silentLogger } from "@proofroom/telemetry";
import { makeTempFolder, startTestRedis } from "@proofroom/testing";
import { expect, it } from "vitest";

const asker = { runId: "run_01ARZ3NDEKTSV4RRFFQ69G5FAV", stepId: "scrape_research_urls", generation: 1 };
const shipped = new URL("../../../infra/models.yaml", import.meta.url);
const file = { name: "models.yaml", text: readFileSync(shipped, "utf8") };
const budget = 5;

it("processes together keep a run's budget to the last call, though all of them call at once", async () => {
  const [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
  const connections = [1, 2, 3].map(() => connect({ url: redis.url, role: "worker", log: silentLogger() }));
  try {
    const processes = await Promise.all(
      connections.map((connection) => {
        const store = createFsStore({ root: folder.path });
        const budgetOf = async () => ({ pages: budget });
        const spending = openSpending(store, { budgetOf }, createBudgetHolds(connection));
        return openOutsideCalls({ file, store, now: () => new Date(0), keepsText: true, spending });
      }),
    );
    let made = 0;
    const { signal } = new AbortController();
    const calls = Array.from({ length: 8 }, (_, n) =>
      processes.map((calls, process) =>
        calls.page({ asker, url: `https://${process}.example/${n}`, signal }, async () => {
          made += 1;
        }),
      ),
    );
    const ends = await Promise.allSettled(calls.flat());
    expect(made).toBe(budget);
    const refused = ends.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(8 * processes.length - budget);
    for (const end of refused) expect(end).toMatchObject({ reason: { code: "budget" } });
  } finally {
    await Promise.all(connections.map(disconnect));
    await redis.close();
    await folder.close();
  }
});
