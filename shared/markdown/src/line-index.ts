/** Tells on which line (from 1) a code unit of a text stands. Lines end with `\n`, `\r\n` or `\r`. */
export class LineIndex {
  readonly #starts: number[];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    this.#starts = [0];
    for (const { index, 0: ending } of text.matchAll(/\r\n|\r|\n/g)) this.#starts.push(index + ending.length);
  }

  /** The offset of a line's first code unit; the text's length where there is no such line. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#length;
  }

  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}
