import { expect, it } from "vitest";
import type { ObjectStore } from "../store.ts";
import { expectFailure, keysOf, textOf } from "./bytes.ts";

const odd = [
  "a b.txt",
  " leading and trailing ",
  "100%.txt",
  "%2e%2e",
  "a+b.txt",
  "a#b?c=d&e.txt",
  "ünïcödé.md",
  "日本語.txt",
  "😀.txt",
  "\u{FF21}.txt",
  "a:b*c|d<e>f\"g'h.txt",
  "~tilde!(x)@$^,;=[y]{z}`",
  ".hidden",
  "..dots",
  "...",
];

const forbidden = [
  "",
  "/absolute.txt",
  "..",
  "../outside.txt",
  "a/../../outside.txt",
  "a/./b.txt",
  "a//b.txt",
  "folder/",
  "back\\slash.txt",
  "line\nbreak.txt",
  "null\0byte.txt",
  "escape\u001b.txt",
  ".store/claims/x",
  ".store",
  `${"long/".repeat(200)}name.txt`,
  "x".repeat(300),
  "é".repeat(150),
];

/** What holds of keys: which there may be, and in what order they are listed. */
export function keySuite(store: () => ObjectStore): void {
  it("keeps odd but lawful keys apart and as they are", async () => {
    for (const name of odd) await store().create(`odd/${name}`, name);
    for (const name of odd) expect(await textOf(store(), `odd/${name}`)).toBe(name);
    const bytes = (key: string) => Buffer.from(key);
    const expected = odd.map((name) => `odd/${name}`).sort((a, b) => Buffer.compare(bytes(a), bytes(b)));
    expect(await keysOf(store(), "odd/")).toEqual(expected);
  });

  it.each(forbidden.map((key) => [JSON.stringify(key).slice(0, 40), key]))(
    "refuses the key %s in every method",
    async (_shown, key) => {
      await expectFailure(store().create(key, "text"), "invalid_input");
      await expectFailure(store().replace(key, "text", "etag"), "invalid_input");
      await expectFailure(store().get(key), "invalid_input");
      await expectFailure(store().head(key), "invalid_input");
      await expectFailure(store().delete(key), "invalid_input");
    },
  );

  it.each(["../", "/", "a/../", ".store/", "a//", "/etc"])("refuses to list %s", async (prefix) => {
    await expectFailure(keysOf(store(), prefix), "invalid_input");
  });

  it("lists in the order of the keys' bytes, also where a folder's name goes on in a file's", async () => {
    const names = [
      "a!x",
      "a-b",
      "a-b/c",
      "a.txt",
      "a/b",
      "a/b2",
      "a0",
      "aé",
      "b/a/z",
      "b/a.txt",
      "B",
      "\u{1F600}",
      "\u{FF21}",
    ]
      .filter((name) => name !== "a-b")
      .map((name) => `order/${name}`);
    for (const key of names) await store().create(key, "x");
    const expected = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await keysOf(store(), "order/")).toEqual(expected);
    expect(await keysOf(store(), "order/a")).toEqual(expected.filter((key) => key.startsWith("order/a")));
    expect(await keysOf(store(), "order/a/b")).toEqual(["order/a/b", "order/a/b2"]);
    expect(await keysOf(store(), "order/b/a")).toEqual(["order/b/a.txt", "order/b/a/z"]);
    expect(await keysOf(store(), "order/b/a/")).toEqual(["order/b/a/z"]);
    expect(await keysOf(store(), "order/nothing")).toEqual([]);
    expect(await keysOf(store(), "nowhere/at/all")).toEqual([]);
    expect((await keysOf(store(), "")).filter((key) => key.startsWith("order/"))).toEqual(expected);
  });

  it("lists size, etag and time as head gives them", async () => {
    await store().create("facts/a.txt", "four");
    const [info, ...others] = await Array.fromAsync(store().list("facts/"));
    const head = await store().head("facts/a.txt");
    if (info === undefined || head === null) throw new Error("what was put in is not there");
    const { modified, ...facts } = head;
    expect(others).toEqual([]);
    expect(info).toMatchObject({ ...facts, key: "facts/a.txt", size: 4 });
    // The header in which S3 tells the time knows whole seconds only.
    expect(Math.abs(modified.getTime() - info.modified.getTime())).toBeLessThan(1_000);
    expect(Math.abs(Date.now() - info.modified.getTime())).toBeLessThan(600_000);
  });

  it("lists more than a thousand objects completely, once each and in order", async () => {
    const keys = Array.from({ length: 1_050 }, (_, n) => `many/${String(n).padStart(5, "0")}`);
    const queue = [...keys];
    const worker = async () => {
      for (let key = queue.pop(); key !== undefined; key = queue.pop()) await store().create(key, "x");
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    expect(await keysOf(store(), "many/")).toEqual(keys);
    const first: string[] = [];
    for await (const { key } of store().list("many/")) {
      first.push(key);
      if (first.length === 3) break;
    }
    expect(first).toEqual(keys.slice(0, 3));
  }, 60_000);

  it("tells what is missing: null from head, not_found from get, nothing from delete", async () => {
    expect(await store().head("missing/a.txt")).toBeNull();
    await expectFailure(store().get("missing/a.txt"), "not_found");
    await store().delete("missing/a.txt");
    await store().create("missing/a.txt", "text");
    await store().delete("missing/a.txt");
    await store().delete("missing/a.txt");
    expect(await store().head("missing/a.txt")).toBeNull();
    expect(await keysOf(store(), "missing/")).toEqual([]);
    await store().create("missing/a.txt", "again");
    expect(await textOf(store(), "missing/a.txt")).toBe("again");
  });

  it("takes a folder of objects for no object", async () => {
    await store().create("tree/branch/leaf.txt", "text");
    expect(await store().head("tree/branch")).toBeNull();
    await expectFailure(store().get("tree/branch"), "not_found");
    await store().delete("tree/branch");
    expect(await textOf(store(), "tree/branch/leaf.txt")).toBe("text");
  });
}
