import { expect, test } from "vitest";
import { firecrawlAt } from "../../testing/firecrawl-at.ts";
import { createPatientFirecrawl } from "./patient-firecrawl.ts";
import { throughFirecrawl } from "./through-firecrawl.ts";

const clock = { now: () => new Date(0), wait: async () => undefined };
const at = (base: string) => createPatientFirecrawl(firecrawlAt(base), clock);

function ask(base: string, address: string, allowHosts: readonly string[] = []) {
  const { signal } = new AbortController();
  const options = { allowHosts: new Set(allowHosts), signal };
  return throughFirecrawl(at(base), new URL(address), async () => "asked", options);
}

test("the cloud is not told of private addresses that may be fetched, a server of one's own is", async () => {
  const allowed = ["10.0.0.5:8080"];
  const address = "http://10.0.0.5:8080/page";
  expect(await ask("https://api.firecrawl.dev", address, allowed)).toMatchObject({
    why: { code: "private_address" },
  });
  expect(await ask("http://10.0.0.9:3002", address, allowed)).toEqual({ value: "asked" });
});

test.each([
  "http://10.0.0.5/",
  "http://127.0.0.1:8080/",
  "http://[::1]/",
  "http://169.254.169.254/latest/",
  "http://intranet/",
])("%s is refused before anything is sent", async (address) => {
  for (const base of ["https://api.firecrawl.dev", "http://10.0.0.9:3002"])
    await expect(ask(base, address)).rejects.toMatchObject({ code: "private_address" });
});
