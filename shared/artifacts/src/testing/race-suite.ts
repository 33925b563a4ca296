import { expect, it } from "vitest";
import { sha256Of } from "../read.ts";
import type { ObjectStore } from "../store.ts";
import { collect, patterned, streamOf, textOf, winners } from "./bytes.ts";
import { increment } from "./increment.ts";

/** What holds of conditional writes at the same time. @param sizes of streamed objects, in bytes */
export function raceSuite(store: () => ObjectStore, sizes: readonly number[]): void {
  it("lets exactly one of 16 concurrent creators win", async () => {
    const works = Array.from({ length: 16 }, (_, n) => store().create("races/race.txt", `writer ${n}`));
    const won = await winners(works, "conflict");
    expect(won).toHaveLength(1);
    expect(await textOf(store(), "races/race.txt")).toBe(`writer ${won[0]}`);
  });

  it("lets exactly one of 16 concurrent replacers of the same state win", async () => {
    const { etag } = await store().create("races/replace.txt", "start");
    const works = Array.from({ length: 16 }, (_, n) =>
      store().replace("races/replace.txt", `writer ${n}`, etag),
    );
    const won = await winners(works, "conflict");
    expect(won).toHaveLength(1);
    expect(await textOf(store(), "races/replace.txt")).toBe(`writer ${won[0]}`);
  });

  it("loses no update when 8 writers count to 160 together", async () => {
    await store().create("races/counter.txt", "0");
    const writer = async () => {
      for (let n = 0; n < 20; n += 1) await increment(store(), "races/counter.txt");
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    expect(await textOf(store(), "races/counter.txt")).toBe("160");
  }, 30_000);

  it("forgets nothing when the object is deleted and made again while others replace it", async () => {
    let madeAgain = 0;
    for (let round = 0; round < 10; round += 1) {
      const key = `races/cycle-${round}.txt`;
      const { etag } = await store().create(key, "old");
      const [, made] = await Promise.allSettled([
        store().replace(key, "replaced", etag),
        store()
          .delete(key)
          .then(() => store().create(key, "new")),
      ]);
      if (made.status === "rejected") continue;
      madeAgain += 1;
      expect(await textOf(store(), key)).toBe("new");
    }
    expect(madeAgain).toBeGreaterThan(0);
  });

  it("lets exactly one of several concurrent streams create the object", async () => {
    const size = Math.max(...sizes);
    const works = [0, 1, 2].map((seed) =>
      store().create("races/stream.bin", streamOf(patterned(size, seed))),
    );
    const results = await Promise.allSettled(works);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const seed = results.findIndex(({ status }) => status === "fulfilled");
    const stored = await collect((await store().get("races/stream.bin")).body);
    expect(sha256Of(stored)).toBe(sha256Of(patterned(size, seed)));
  }, 30_000);
}
