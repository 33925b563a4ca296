import { Transform, type TransformCallback } from "node:stream";
import { LongMessage } from "./long-message.ts";

interface MessageLinesOptions {
  /** The longest message that is passed on, in bytes. */
  limit: number;
  /** Told of a longer one when it has been read past, and of the id of its request where it has one. */
  onTooLong(requestId: string | number | undefined): void;
}

/** Passes messages on line by line and whole, and none that is too long: of such a one no more than the limit is held. */
export class MessageLines extends Transform {
  readonly #options: MessageLinesOptions;
  #parts: Buffer[] = [];
  #size = 0;
  #long: LongMessage | undefined;

  constructor(options: MessageLinesOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf("\n", from);
      if (end === -1) break;
      this.#take(chunk.subarray(from, end + 1));
      this.#endLine();
      from = end + 1;
    }
    this.#take(chunk.subarray(from));
    done();
  }

  #take(part: Buffer): void {
    if (this.#long !== undefined) {
      this.#long.take(part);
      return;
    }
    this.#size += part.length;
    this.#parts.push(part);
    if (this.#size <= this.#options.limit) return;
    const long = new LongMessage();
    for (const held of this.#parts) long.take(held);
    this.#long = long;
    this.#parts = [];
  }

  #endLine(): void {
    if (this.#long === undefined) this.push(Buffer.concat(this.#parts));
    else this.#options.onTooLong(this.#long.requestId);
    this.#long = undefined;
    this.#parts = [];
    this.#size = 0;
  }
}
