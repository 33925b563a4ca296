import { type RunBudget, runBudgetSchema } from "@proofroom/contracts";
import { InvalidArgumentError } from "commander";

const names: Readonly<Record<string, keyof RunBudget>> = {
  usd: "budget_usd",
  tokens: "budget_tokens",
  searches: "budget_searches",
  pages: "budget_pages",
};

function refused(): InvalidArgumentError {
  return new InvalidArgumentError(
    "It must be an amount of US dollars, such as 0.25, or a list such as usd=0.25,tokens=500000,searches=30,pages=50.",
  );
}

/** A budget as the command line takes it: dollars alone, or what it limits by name. @throws InvalidArgumentError */
export function parseBudget(text: string): RunBudget {
  const budget: Partial<Record<keyof RunBudget, number>> = {};
  for (const part of (text.includes("=") ? text : `usd=${text}`).split(",")) {
    const [, name = "", amount = ""] = /^\s*([a-z]+)=(\d{1,10}(?:\.\d{1,4})?)\s*$/.exec(part) ?? [];
    const key = Object.hasOwn(names, name) ? names[name] : undefined;
    if (key === undefined || budget[key] !== undefined) throw refused();
    budget[key] = Number(amount);
  }
  const parsed = runBudgetSchema.safeParse(budget);
  if (!parsed.success) throw refused();
  return parsed.data;
}
