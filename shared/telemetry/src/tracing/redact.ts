import { percentDecoded } from "./percent-decoded.ts";

const redacted = "[redacted]";

/** Shorter values are no secrets, and would be found in every text. */
const shortest = 8;

/** What looks like a key, whoever gave it out. */
const keyShapes: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk|gsk|tvly|pplx|xai|hf|fc|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|npm)[-_][\w-]{16,}/g,
  /\bAIza[\w-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<=\b(?:Bearer|Basic) )[\w.~+/=-]{16,}/gi,
  /(?<=:\/\/[^\s/:@]{0,200}:)[^\s/@]+(?=@)/g,
];

/** Answers a function that takes the secrets given, and whatever looks like one, out of a text. */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  // A secret may be part of another.
  const known = [...new Set(secrets)]
    .filter(({ length }) => length >= shortest)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, redacted);
    for (const shape of keyShapes) clean = clean.replace(shape, redacted);
    return clean;
  };
}

const secretName = /(?:KEY|KEYS|SECRET|TOKEN|PASSWORD|HEADERS|REDIS_URL)$/;

/** The values of those settings that hold secrets, by their names. */
export function secretValues(
  names: Iterable<string>,
  setting: (name: string) => string | undefined,
): string[] {
  return [...names].flatMap((name) => {
    const value = secretName.test(name) ? setting(name) : undefined;
    if (value === undefined) return [];
    // Headers and lists hold several, by names that are no secrets.
    const parts = value.split(",").map((part) => part.slice(part.indexOf("=") + 1).trim());
    return [value, ...parts, ...parts.map(percentDecoded)];
  });
}
