import { inspect } from "node:util";
import { z } from "zod";

const REDACTED = "[redacted]";

/** A value that does not show itself in logs, JSON, templates or stack traces; `reveal()` is the only way to it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** A non-empty text that is wrapped as soon as it is read. */
export const secretText = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));
