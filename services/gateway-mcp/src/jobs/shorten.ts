/** How many items of an array and characters of a text are kept, from mild to harsh. */
const cuts: readonly (readonly [items: number, characters: number])[] = [
  [200, 16_000],
  [50, 4_000],
  [20, 1_000],
  [10, 300],
  [3, 100],
];

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

function clip(value: unknown, items: number, characters: number): unknown {
  if (typeof value === "string") {
    return value.length > characters ? `${value.slice(0, characters).toWellFormed()}…` : value;
  }
  if (Array.isArray(value)) return value.slice(0, items).map((item) => clip(item, items, characters));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, clip(member, items, characters)]),
  );
}

/** Cuts long lists and texts of a result until its JSON has at most so many bytes, and says whether it did. */
export function shorten(
  value: Record<string, unknown>,
  limit: number,
): { value: Record<string, unknown>; cut: boolean } {
  let shortened: unknown = value;
  for (const [items, characters] of cuts) {
    if (sizeOf(shortened) <= limit) break;
    shortened = clip(value, items, characters);
  }
  return { value: shortened as Record<string, unknown>, cut: shortened !== value };
}
