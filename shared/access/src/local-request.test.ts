import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { isLocalRequest } from "./local-request.ts";

function requestOf(
  remoteAddress: string,
  host: string,
  headers: Record<string, string> = {},
): IncomingMessage {
  const asked = {
    url: "/metrics",
    rawHeaders: ["host", host],
    headers: { host, ...headers },
    socket: { remoteAddress },
  };
  return asked as unknown as IncomingMessage;
}

test.each([
  ["127.0.0.1", "127.0.0.1:8081"],
  ["::ffff:127.0.0.1", "localhost"],
  ["::1", "[::1]:8081"],
])("%s that asks %s is this machine", (peer, host) => {
  expect(isLocalRequest(requestOf(peer, host))).toBe(true);
});

test.each([
  ["192.0.2.1", "127.0.0.1", {}],
  ["127.0.0.1", "api.example.com", {}],
  ["127.0.0.1", "127.0.0.1, api.example.com", {}],
  ["127.0.0.1", "127.0.0.1", { "x-forwarded-for": "192.0.2.1" }],
  ["127.0.0.1", "127.0.0.1", { forwarded: "for=192.0.2.1" }],
  ["127.0.0.1", "127.0.0.1", { "cf-connecting-ip": "192.0.2.1" }],
])("%s that asks %s with %j may speak for somebody else", (peer, host, headers) => {
  expect(isLocalRequest(requestOf(peer, host, headers))).toBe(false);
});
