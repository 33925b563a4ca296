/** How much of the end of a cut stream is kept, in bytes. */
const TAIL = 16 * 1024;

/** Keeps the beginning of a stream and, on request, its end; counts the rest without holding it. */
export class OutputCollector {
  readonly #limit: number;
  readonly #tailLimit: number;
  readonly #head: Buffer[] = [];
  #headSize = 0;
  #tail: Buffer = Buffer.alloc(0);
  /** Bytes that came, kept or not. */
  total = 0;

  constructor(limit: number, options: { keepEnd: boolean }) {
    this.#tailLimit = options.keepEnd ? Math.min(TAIL, limit) : 0;
    this.#limit = limit - this.#tailLimit;
  }

  add(chunk: Buffer): void {
    this.total += chunk.length;
    const room = this.#limit - this.#headSize;
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headSize += Math.min(room, chunk.length);
    }
    if (this.#tailLimit > 0 && chunk.length > room) {
      const joined = Buffer.concat([this.#tail, chunk.subarray(Math.max(0, room))]);
      this.#tail = Buffer.from(joined.subarray(Math.max(0, joined.length - this.#tailLimit)));
    }
  }

  get truncated(): boolean {
    return this.total > this.#headSize + this.#tail.length;
  }

  /** The kept text; bytes that are not UTF-8 become U+FFFD. */
  text(): string {
    const head = Buffer.concat(this.#head);
    if (!this.truncated) return Buffer.concat([head, this.#tail]).toString("utf8");
    if (this.#tailLimit === 0) return head.toString("utf8");
    return `${head.toString("utf8")}\n[output cut]\n${this.#tail.toString("utf8")}`;
  }
}
