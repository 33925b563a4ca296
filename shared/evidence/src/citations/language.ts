import { isStopWord, type Token } from "./tokens.ts";

/** Small words of other European languages that are no English words. */
const foreign: ReadonlySet<string> = new Set(
  `der das den dem des und ist sind wird werden ein eine einen einem einer nicht kein keine mit von für auf zu zum zur im auch
  als bei nach aus oder wenn dass sich le les du une et est sont dans pour avec sur qui que pas ne au aux ce cette par el los
  las del y es son una por con para como se su lo il di che della delle gli sono per nel alla o os um uma não com em ao het een
  van en niet voor op zijn met och är att det som på för inte av til og er ikke`.split(/\s+/),
);

/**
 * Whether a sentence is English as far as its small words tell. What is known of inflection, negation and opposites
 * is English: of other languages a machine without a model can tell only whether the words are the same.
 */
export function isEnglish(tokens: readonly Token[]): boolean {
  const count = (accept: (norm: string) => boolean) => tokens.filter(({ norm }) => accept(norm)).length;
  const latin = count((norm) => /^[\p{N}\p{sc=Latin}]/u.test(norm));
  if (2 * latin < tokens.length) return false;
  const others = count((norm) => foreign.has(norm));
  return others === 0 || others < count(isStopWord);
}
