import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const example = fileURLToPath(new URL("../../../../examples/getting-started", import.meta.url));

const circuit = `# Circuit breakers

A circuit breaker counts the failed requests to a service and opens when too many of the last requests have failed. While it is open, requests fail at once and the service is left alone to recover. After a pause the circuit breaker lets one request through, and it closes again when that request succeeds. A circuit breaker protects the service, while a retry budget bounds what retries add to the load.
`;

/** Writes a guideline for an article of two thousand words with six local sources: the example's, at twice the length; answers its path. */
export async function writeLongGuideline(folder: string): Promise<string> {
  const notRepository = (path: string) => !path.endsWith(join("sources", "retry-kit"));
  await cp(join(example, "sources"), join(folder, "sources"), { recursive: true, filter: notRepository });
  await cp(join(example, "retry-kit"), join(folder, "sources", "retry-kit"), { recursive: true });
  await writeFile(join(folder, "sources", "circuit.md"), circuit);
  const short = await readFile(join(example, "article_guideline.md"), "utf8");
  const long = short.replace(/(\d{3,4})(?=\*{0,2} words)/g, (words) => String(2 * Number(words)));
  const path = join(folder, "article_guideline.md");
  await writeFile(path, `${long.trimEnd()}\n- On circuit breakers: [circuit.md](sources/circuit.md)\n`);
  return path;
}
