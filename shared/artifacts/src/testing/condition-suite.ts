import { expect, it } from "vitest";
import type { ObjectStore } from "../store.ts";
import { expectFailure, streamOf, textOf } from "./bytes.ts";

/** What holds of conditional writes one after the other. */
export function conditionSuite(store: () => ObjectStore): void {
  it("creates an object once only", async () => {
    const info = await store().create("conditions/once.txt", "first");
    expect(info).toMatchObject({ key: "conditions/once.txt", size: 5 });
    await expectFailure(store().create("conditions/once.txt", "second"), "conflict");
    await expectFailure(store().create("conditions/once.txt", streamOf(Buffer.from("third"))), "conflict");
    expect(await textOf(store(), "conditions/once.txt")).toBe("first");
  });

  it("answers the etag of the very state that it wrote", async () => {
    const created = await store().create("conditions/etag.txt", "one");
    expect((await store().head("conditions/etag.txt"))?.etag).toBe(created.etag);
    const replaced = await store().replace("conditions/etag.txt", "two", created.etag);
    expect(replaced.etag).not.toBe(created.etag);
    expect((await store().head("conditions/etag.txt"))?.etag).toBe(replaced.etag);
    expect((await store().get("conditions/etag.txt").then(consumed)).info.etag).toBe(replaced.etag);
  });

  it("refuses to replace a state that is not the present one", async () => {
    const first = await store().create("conditions/stale.txt", "one");
    await store().replace("conditions/stale.txt", "two", first.etag);
    await expectFailure(store().replace("conditions/stale.txt", "three", first.etag), "conflict");
    await expectFailure(
      store().replace("conditions/stale.txt", streamOf(Buffer.from("three")), first.etag),
      "conflict",
    );
    expect(await textOf(store(), "conditions/stale.txt")).toBe("two");
  });

  it("does not make an object by replacing what is not there", async () => {
    const { etag } = await store().create("conditions/gone.txt", "here");
    await store().delete("conditions/gone.txt");
    await expectFailure(store().replace("conditions/gone.txt", "again", etag), "not_found");
    expect(await store().head("conditions/gone.txt")).toBeNull();
  });
}

async function consumed<T extends { body: ReadableStream<Uint8Array> }>(found: T): Promise<T> {
  await found.body.cancel();
  return found;
}
