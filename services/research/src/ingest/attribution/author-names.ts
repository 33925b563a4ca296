import { plainWords } from "./plain-words.ts";

const mostNames = 12;
const longestName = 100;
/** Characters of it that are looked at. */
const longestEntry = 400;

/** Authors as one line, each once; addresses among them are no names, and of very many the first are named. */
export function authorNames(names: readonly string[]): string | undefined {
  const plain = names
    .map((name) => plainWords(withoutMail(name.slice(0, longestEntry)), longestName))
    .filter(isName);
  const unique = [...new Set(plain)];
  if (unique.length === 0) return undefined;
  const more = unique.length > mostNames ? " and others" : "";
  return `${unique.slice(0, mostNames).join(", ")}${more}`;
}

/** `Doe, Jane` as a person is called. */
export function calledName(name: string): string {
  const [family, given, ...more] = name.split(",").map((part) => part.trim());
  return given && family && more.length === 0 ? `${given} ${family}` : name;
}

function withoutMail(name: string): string {
  return name.replace(/\s*[<(]?[^\s<>(),;]+@[^\s<>(),;]+[>)]?/g, "");
}

function isName(name: string): boolean {
  return /\p{L}/u.test(name) && !/^(?:https?:|www\.|@)|\/\//i.test(name);
}
