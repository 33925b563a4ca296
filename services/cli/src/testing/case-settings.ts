import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SearchStage } from "./failures.ts";

export const checkout = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * The shipped models under names of the case's own, so that no other case waits for their limits; and behind them a
 * provider that is not configured yet.
 */
export async function modelsFile(at: number): Promise<string> {
  const shipped = await readFile(join(checkout, "infra", "models.yaml"), "utf8");
  return shipped
    .replace(/\bgemini-flash(?:-lite)?(?=[:,\]])/g, (name) => `${name}-${at}`)
    .replace(
      "\nmodels:\n",
      `  spare: { api: gemini, base_url_setting: SPARE_BASE_URL, key_setting: SPARE_API_KEY }

models:
  spare-${at}: { endpoint: spare, model: spare, context: 1000000, output: 65536, structured: true, video: true }
`,
    )
    .replace(/^( {2}\w+: \[gemini-[^\]]*?)((?:, extractive)?\])$/gm, `$1, spare-${at}$2`);
}

/** The settings that make a search provider the one that a run asks. */
export function searchSettings(search: SearchStage, base: string, timeout: string): Record<string, string> {
  const name = search.toUpperCase();
  return {
    [`${name}_BASE_URL`]: `${base}/${search}`,
    [`${name}_TIMEOUT`]: timeout,
    ...(search === "searxng" ? {} : { [`${name}_API_KEY`]: "key" }),
  };
}
