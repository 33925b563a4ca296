import { type RunBudget, runBudgetSchema } from "@proofroom/contracts";
import { InvalidArgumentError } from "commander";

const names: Readonly<Record<string, keyof RunBudget>> = {
  usd: "budget_usd",
  tokens: "budget_tokens",
  searches: "budget_searches",
  pages: "budget_pages",
};

const form =
  "A budget is an amount of US dollars, such as 0.25, or a list such as usd=0.25,tokens=500000,searches=30,pages=50.";

/** Says which part is wrong, and why. */
function refused(part: string, reason: string): InvalidArgumentError {
  return new InvalidArgumentError(`"${part}" ${reason}. ${form}`);
}

/** One limit, by its name. @throws InvalidArgumentError */
function parsePart(part: string): [keyof RunBudget, number] {
  const at = part.indexOf("=");
  const [name, amount] = at === -1 ? ["", part] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  const key = Object.hasOwn(names, name) ? names[name] : undefined;
  if (key === undefined) throw refused(part, `names none of ${Object.keys(names).join(", ")}`);
  const value = /^\d{1,10}(?:\.\d{1,4})?$/.test(amount) ? Number(amount) : Number.NaN;
  if (runBudgetSchema.safeParse({ [key]: value }).success) return [key, value];
  throw refused(
    part,
    key === "budget_usd"
      ? "is no amount of dollars from 0 to 1000000, with four decimals at the most"
      : "has no whole number from 0 to 1000000000",
  );
}

/** A budget as the command line takes it: dollars alone, or what it limits by name. @throws InvalidArgumentError */
export function parseBudget(text: string): RunBudget {
  const budget: Partial<Record<keyof RunBudget, number>> = {};
  for (const part of text.includes("=") ? text.split(",") : [`usd=${text}`]) {
    const [key, value] = parsePart(part);
    if (budget[key] !== undefined) throw refused(part, "limits what was limited before it");
    budget[key] = value;
  }
  return budget as RunBudget;
}
