import { createFsStore, openRunArtifacts } from "@proofroom/artifacts";
import { ProofroomError, runOptionsSchema } from "@proofroom/contracts";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRun } from "./create-run.ts";
import { createTenantStores } from "./tenants.ts";

let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(() => folder.close());

it("a run that cannot be made leaves nothing behind, also where a tenant makes it", async () => {
  const store = createFsStore({ root: folder.path });
  const tooLarge = new ProofroomError({ code: "too_large", message: "no" });
  for (const through of [store, createTenantStores(store).of("a")]) {
    const made = createRun(through, {
      tenant: "a",
      title: "t",
      plan: "write",
      options: runOptionsSchema.parse({}),
      guideline: "# t",
      author: "person",
      async fill({ runId }) {
        await openRunArtifacts(through, runId).write("x.md", Buffer.from("x"), { author: "import" });
        throw tooLarge;
      },
    });
    await expect(made).rejects.toBe(tooLarge);
    expect(await Array.fromAsync(store.list(""))).toEqual([]);
  }
});
