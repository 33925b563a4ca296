import fc from "fast-check";
import { expect, test } from "vitest";
import { OutputCollector } from "./output-collector.ts";

const chunks = fc.array(fc.string({ maxLength: 40 }).map((text) => Buffer.from(text)));

test("up to the limit everything is kept, and nothing is called cut", () => {
  fc.assert(
    fc.property(chunks, fc.boolean(), (parts, keepEnd) => {
      const whole = Buffer.concat(parts);
      const collector = new OutputCollector(whole.length, { keepEnd });
      for (const part of parts) collector.add(part);
      expect(collector.text()).toBe(whole.toString());
      expect(collector.truncated).toBe(false);
    }),
  );
});

test("beyond the limit the beginning is kept, on request the end as well, and the rest counted", () => {
  const collector = new OutputCollector(64 * 1024, { keepEnd: true });
  for (let at = 0; at < 100; at += 1) collector.add(Buffer.from(`${at}:`.padEnd(4096, ".")));
  collector.add(Buffer.from("the end"));
  expect(collector.truncated).toBe(true);
  expect(collector.total).toBe(100 * 4096 + 7);
  expect(collector.text().startsWith("0:....")).toBe(true);
  expect(collector.text().endsWith("the end")).toBe(true);
  expect(collector.text().length).toBeLessThan(66 * 1024);

  const head = new OutputCollector(10, { keepEnd: false });
  head.add(Buffer.from("0123456789abc"));
  expect([head.text(), head.truncated]).toEqual(["0123456789", true]);
});

test("bytes that are not UTF-8 are replaced", () => {
  const collector = new OutputCollector(100, { keepEnd: false });
  collector.add(Buffer.from([0xff, 0x61, 0xc3, 0x28]));
  expect(collector.text()).toBe("\ufffda\ufffd(");
});
