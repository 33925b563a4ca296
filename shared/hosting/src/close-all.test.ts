import { expect, it } from "vitest";
import { closeAll } from "./close-all.ts";

it("closes the last first, all of them though one fails, and once only", async () => {
  const closed: string[] = [];
  const closers = [
    () => void closed.push("server"),
    async () => {
      throw new Error("no");
    },
    () => void closed.push("client"),
  ];
  await expect(closeAll(closers)).rejects.toThrow("no");
  await closeAll(closers);
  expect(closed).toEqual(["client", "server"]);
});
