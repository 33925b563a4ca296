import { jaccard } from "@proofroom/evidence";

/** Sentences sharing more of their terms than this say the same. */
const alike = 0.6;

/**
 * Remembers the sentences of an article, to keep a second one that says the same out. Near duplicates are looked
 * for among the sentences that share a rare-enough term, so that a long article does not make it slow.
 */
export class UsedText {
  readonly #keys = new Set<string>();
  readonly #byTerm = new Map<string, ReadonlySet<string>[]>();

  add(key: string, terms: ReadonlySet<string>): void {
    this.#keys.add(key);
    for (const term of terms) {
      const list = this.#byTerm.get(term);
      if (list === undefined) this.#byTerm.set(term, [terms]);
      else list.push(terms);
    }
  }

  copy(): UsedText {
    const copy = new UsedText();
    for (const key of this.#keys) copy.#keys.add(key);
    for (const [term, list] of this.#byTerm) copy.#byTerm.set(term, [...list]);
    return copy;
  }

  has(key: string, terms: ReadonlySet<string>): boolean {
    if (this.#keys.has(key)) return true;
    const compared = new Set<ReadonlySet<string>>();
    for (const term of terms) {
      for (const other of this.#byTerm.get(term) ?? []) {
        if (compared.has(other)) continue;
        compared.add(other);
        if (jaccard(terms, other) > alike) return true;
      }
    }
    return false;
  }
}
