import { type Repair, repairs } from "./repairs.ts";

export interface RepairedCode {
  code: string;
  /** What was done, one phrase each. */
  done: string[];
}

/**
 * Mends code that does not parse: by a single repair where one is enough, so that no other changes text for nothing,
 * else by one after the other until it parses.
 *
 * @param parses whether the given code is valid
 * @returns null where the repairs do not get it to parse
 */
export async function repairCode(
  language: string,
  code: string,
  parses: (code: string) => Promise<boolean>,
): Promise<RepairedCode | null> {
  const fitting = repairs.filter((repair) => repair.languages.includes(language));
  for (const repair of fitting) {
    const mended = await applied([repair], language, code, parses);
    if (mended !== null) return mended;
  }
  return await applied(fitting, language, code, parses);
}

async function applied(
  chosen: readonly Repair[],
  language: string,
  code: string,
  parses: (code: string) => Promise<boolean>,
): Promise<RepairedCode | null> {
  let current = code;
  const done: string[] = [];
  for (const repair of chosen) {
    const changed = repair.apply(current, language);
    if (changed === current) continue;
    current = changed;
    done.push(repair.description);
    if (await parses(current)) return { code: current, done };
  }
  return null;
}
