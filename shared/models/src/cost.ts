import type { ModelEntry } from "./models-file.ts";
import type { Usage } from "./request.ts";

/** In US dollars; 0 where the price is not known. */
export function costOf({ price }: Pick<ModelEntry, "price">, usage: Usage): number {
  if (price === undefined) return 0;
  return (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1_000_000;
}
