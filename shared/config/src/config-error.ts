/**
 * A setting that is missing or unusable. This package imports nothing of ours, so it has an error of its own; a `main.ts` shows its
 * message, which names the variable and never its value.
 */
export class ConfigError extends Error {
  readonly code = "invalid_input";
  readonly variable: string;

  constructor(variable: string, reason: string) {
    super(`${variable}: ${reason}`);
    this.name = "ConfigError";
    this.variable = variable;
  }
}
