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

/**
 * A secret in base64, as it stands there whatever is before and after it: its first and last characters, which hold bits of
 * those, are left out. Three places to begin at, in both alphabets.
 */
function base64FormsOf(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const whole = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)] as const;
    return [bytes.toString("base64").slice(...whole), bytes.toString("base64url").slice(...whole)];
  });
}

/** How a secret may stand in a text: as it is, as JSON and addresses have it, and in base64. */
function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...base64FormsOf(secret)];
}

/** Answers a function that takes the secrets given out of a text, encoded or not. */
export function createSecretRemover(secrets: Iterable<string>): (text: string) => string {
  const known = [...new Set(secrets)].filter(({ length }) => length >= shortest);
  // A secret may be part of another.
  const forms = [...new Set(known.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((clean, form) => clean.replaceAll(form, redacted), text);
}

/** Answers a function that takes the secrets given, and whatever looks like one, out of a text. */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const remove = createSecretRemover(secrets);
  return (text) => keyShapes.reduce((clean, shape) => clean.replace(shape, redacted), remove(text));
}

const secretName = /(?:KEYS?|KEY_ID|SECRET|TOKENS?|PASSWORD|HEADERS|REDIS_URL)$/;

/** Whether a setting of that name holds a secret, or several. */
export function isSecretSetting(name: string): boolean {
  return secretName.test(name);
}

/** The secrets in a setting: all of it, and what stands in it beside names, users, hosts and schemes, which are none. */
function secretsIn(value: string): string[] {
  const password = /:\/\/[^\s/@:]*:([^\s/@]+)@/.exec(value)?.[1];
  const parts = value.split(",").map((part) => part.slice(part.indexOf("=") + 1).trim());
  const written = [value, ...parts, ...(password === undefined ? [] : [password])];
  return written
    .map(percentDecoded)
    .concat(written)
    .flatMap((text) => [text, text.slice(text.indexOf(":") + 1), text.slice(text.lastIndexOf(" ") + 1)]);
}

/** The values of those settings that hold secrets, by their names. */
export function secretValues(
  names: Iterable<string>,
  setting: (name: string) => string | undefined,
): string[] {
  return [...names].filter(isSecretSetting).flatMap((name) => secretsIn(setting(name) ?? ""));
}
