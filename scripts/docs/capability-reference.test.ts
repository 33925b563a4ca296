import { readFile } from "node:fs/promises";
import { publicCapabilities } from "@proofroom/contracts";
import { expect, it } from "vitest";
import { capabilityReference } from "./capability-reference.ts";

it("has a committed page that says what the catalog says (npm run docs makes it anew)", async () => {
  const committed = await readFile(new URL("../../docs/capabilities.md", import.meta.url), "utf8");
  expect(committed).toBe(capabilityReference());
});

it("covers every public capability: the 21 of the reference system and verify_citations", () => {
  const names = publicCapabilities().map(({ name }) => name);
  expect(names).toHaveLength(22);
  for (const name of names) expect(capabilityReference()).toContain(`## ${name}\n`);
});
