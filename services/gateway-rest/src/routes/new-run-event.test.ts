import { createHash } from "node:crypto";
import type { EventLog } from "@proofroom/queue";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { testGateway } from "../testing/test-gateway.ts";

let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(() => folder.close());

it("a new run is told in its tenant's log, once, though its request is repeated", async () => {
  const told: Parameters<EventLog["publish"]>[] = [];
  const events: EventLog = {
    publish: (...event) => told.push(event),
    position: async () => "0",
    flush: async () => undefined,
    async *follow() {},
  };
  const sha256 = createHash("sha256").update("key").digest("hex");
  const auth = { keys: [{ tenant: "docs", sha256 }], host: "127.0.0.1" };
  const { app } = await testGateway(folder.path, { events, auth });
  const request = {
    method: "POST",
    url: "/v1/runs",
    headers: { authorization: "Bearer key", "idempotency-key": "one" },
    payload: { guideline: "# t\n", start: false },
  } as const;
  const [first, again] = [await app.inject(request), await app.inject(request)];
  expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
  expect(told).toEqual([[{ run_id: first.json().run_id, type: "run.created" }, "docs"]]);
  await app.close();
});
