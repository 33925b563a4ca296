/** What a search found, with how well it answers. */
export interface Hit<Item> {
  item: Item;
  /** BM25; comparable within one query only. */
  score: number;
  /** The part of the query that the item bears on, 0 to 1: each term weighs its rarity in the corpus. */
  coverage: number;
}
