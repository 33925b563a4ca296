import { expect, it } from "vitest";
import { gatewayAddress } from "./gateway-address.ts";

it.each(["http://127.0.0.1:8080", "https://api.example.com/proofroom/"])("takes %s", (text) => {
  expect(gatewayAddress(text).href).toBe(new URL(text).href);
});

it.each([
  "127.0.0.1:8080",
  "ftp://host",
  "http://user@host",
  "http://:secret@host",
  "http://host/?key=secret",
  "http://host/#part",
])("refuses %s, and repeats nothing of it", (text) => {
  expect(() => gatewayAddress(text)).toThrow("--remote takes the address of a REST gateway.");
});
