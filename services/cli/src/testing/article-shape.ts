/** How long an article is, in words without its code and its references, and what its list of references names. */
export function articleShape(markdown: string): { words: number; references: string[] } {
  const [text = "", list = ""] = markdown.split(/^## References$/m);
  const prose = text.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, "").replace(/\[\d+\]/g, "");
  return {
    words: prose.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0,
    references: list.split("\n").filter((line) => line.trim() !== ""),
  };
}
