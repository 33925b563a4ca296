/** The Markdown of a cell without the pictures that lie in the notebook itself: their names stay. */
export function withoutPictures(source: string): { text: string; dropped: number } {
  let dropped = 0;
  const text = source.replaceAll(
    /!\[([^[\]]*)\]\((?:attachment:|data:)[^)\]]*\)|<img(?=[^<>]*src=["'](?:attachment:|data:))[^<>]*>/g,
    (_, alternative: string | undefined) => {
      dropped += 1;
      return alternative ?? "";
    },
  );
  return { text, dropped };
}
