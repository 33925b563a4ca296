const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace, colon, comma] =
  Buffer.from('"\\[]{}:,');

/** What is kept of a name or a value, in bytes: no id that a client counts on is longer. */
const kept = 300;

/** A message that is too long to be kept: it is read past, and only whom to answer is taken from it. */
export class LongMessage {
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** The name or value of the message itself that is being read. */
  #token: number[] = [];
  #name: string | undefined;
  #id: string | number | undefined;
  #isRequest = false;

  /** Reads a part of the message, wherever it was cut. */
  take(part: Uint8Array): void {
    for (const byte of part) this.#read(byte);
  }

  /** The id of the request, wherever in it that stands; undefined where it has none or is no request. */
  get requestId(): string | number | undefined {
    return this.#isRequest ? this.#id : undefined;
  }

  #read(byte: number): void {
    if (this.#inString) {
      this.#keep(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#inString = false;
    } else if (byte === openBrace || byte === openBracket) this.#depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      this.#endValue();
      this.#depth -= 1;
    } else if (byte === comma) this.#endValue();
    else if (byte === colon && this.#depth === 1) {
      this.#name = this.#taken();
    } else {
      this.#inString = byte === quote;
      this.#keep(byte);
    }
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#token.length < kept) this.#token.push(byte);
  }

  #taken(): string {
    return Buffer.from(this.#token.splice(0)).toString("utf8").trim();
  }

  #endValue(): void {
    if (this.#depth !== 1) return;
    const value = this.#taken();
    if (this.#name === '"method"') this.#isRequest = true;
    if (this.#name === '"id"') this.#id = idOf(value);
    this.#name = undefined;
  }
}

function idOf(json: string): string | number | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" || typeof value === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}
