import { ProofroomError } from "@proofroom/contracts";
import { createTracing, type SpanRecord } from "@proofroom/telemetry";
import { expect, it } from "vitest";
import { z } from "zod";
import type { OutsideCalls } from "./outside-calls.ts";
import { traceCalls } from "./traced-calls.ts";

const runId = "run_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const found = z.array(z.string());
const { signal } = new AbortController();

/** Calls that are all made, at that price. */
function pricedAt(price: number | undefined): OutsideCalls {
  return {
    search: (_question, call) => call(() => undefined, price),
    page: (_page, call) => call(),
  };
}

/** What the span of one search tells of its cost. */
async function costTold(
  price: number | undefined,
  call: (costs: (usd: number) => void) => Promise<string[]>,
): Promise<unknown> {
  const spans: SpanRecord[] = [];
  const tracing = await createTracing({
    serviceName: "test",
    version: "1",
    destinations: [],
    captureContent: false,
    secrets: [],
    onTrouble: () => undefined,
    runs: { add: async (_run, some) => void spans.push(...some), compose: async () => undefined },
  });
  const asker = { runId, stepId: "run_web_research", generation: 1 };
  const question = { asker, provider: "tavily", query: "q", maxResults: 1, found, signal };
  const searching = tracing.span({ name: "step", ids: { run: runId } }, () =>
    traceCalls(pricedAt(price), tracing).search(question, call),
  );
  await searching.catch(() => undefined);
  await tracing.close();
  return spans.find(({ name }) => name === "retrieval tavily")?.attributes["gen_ai.usage.cost"] ?? null;
}

const failing = (code: "no_evidence" | "dependency_down") => async () => {
  throw new ProofroomError({ code, message: "m" });
};

it("a search tells what it cost: what its provider said, else the price, and nothing where none is known", async () => {
  expect(await costTold(0.016, async () => [])).toBe(0.016);
  expect(await costTold(undefined, async () => [])).toBeNull();
  const saying = async (costs: (usd: number) => void) => {
    costs(0.5);
    return [];
  };
  expect(await costTold(0.016, saying)).toBe(0.5);
});

it("a search that found nothing costs what it costs, and one that was not answered nothing", async () => {
  expect(await costTold(0.016, failing("no_evidence"))).toBe(0.016);
  expect(await costTold(0.016, failing("dependency_down"))).toBeNull();
});
