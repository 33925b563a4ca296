import { openTestPlace, type TestPlace } from "@proofroom/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installMs, installPeers, peerTestMs, runPeer } from "../testing/peers.ts";
import { startWholeGateway, type WholeGateway } from "../testing/whole-gateway.ts";
import { exceptions } from "./exceptions.ts";
import { conformanceFixtures } from "./fixtures.ts";
import { readOutcomes } from "./outcomes.ts";
import { workOfGuideline } from "./task-fixtures.ts";

let place: TestPlace;
let gateway: WholeGateway;

beforeAll(async () => {
  await installPeers();
  place = await openTestPlace();
  const handlers = { read_research_summary: workOfGuideline };
  const extension = conformanceFixtures();
  gateway = await startWholeGateway({ ...place, handlers, extension });
  place.closing(() => gateway.close());
}, installMs);

afterAll(() => place?.close());

it.each([
  // Everything that counts for the newest revision succeeds.
  ["2026-07-28", 50, 0],
  ["2025-11-25", 33, 1],
] as const)(
  "the official suite finds nothing against %s but what is known and has its reason",
  async (revision, scenarios, expected) => {
    const results = `${place.root}/results-${revision}`;
    const args = ["server", "--url", gateway.url, "--requirements", revision, "-o", results];
    const { exitCode, stderr } = await runPeer("conformance", args, place.root);
    const outcomes = await readOutcomes(results);
    const known = exceptions[revision].flatMap(({ checks }) => checks).sort();
    expect(outcomes.others, stderr).toEqual(known);
    expect(outcomes.scenarios).toBe(scenarios);
    expect(exitCode).toBe(expected);
  },
  peerTestMs,
);
