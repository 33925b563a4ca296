import { mcpEnvelope } from "@proofroom/testing";
import { expect, it } from "vitest";
import { openStdioPeer } from "../testing/stdio-peer.ts";

it("a subscription that cannot begin yet is acknowledged, and holds up nothing else on the connection", async () => {
  const peer = openStdioPeer();
  const params = { _meta: mcpEnvelope, notifications: { resourcesListChanged: true } };
  peer.send({ method: "subscriptions/listen", params });
  peer.send({ id: 2, method: "tools/list", params: { _meta: mcpEnvelope } });
  expect(await peer.next()).toMatchObject({
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { resourcesListChanged: true } },
  });
  expect(await peer.next()).toMatchObject({ id: 2, result: { tools: expect.any(Array) } });
  await peer.gateway.close(0);
});
