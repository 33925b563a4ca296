/** `Section 2: How it works` → `How it works`. */
export function subjectOf(title: string): string {
  return title
    .replace(/^\s*(?:(?:section|part|chapter|step)\s+\d+|\d+(?:\.\d+)*(?=[\s.:)]))\s*[.:)–—-]?\s*/i, "")
    .trim();
}

/** Whether a title names a place in an article and no subject. */
export function isGeneric(subject: string): boolean {
  return /^(?:introduction|intro|overview|background|conclusions?|summary|wrap[- ]?up|closing|next steps|getting started|final thoughts|key takeaways|motivation)?$/i.test(
    subject,
  );
}

/** Whether a heading opens the summary of the whole article. */
export function isSummaryTitle(title: string): boolean {
  return /^(?:executive )?summary$/i.test(title.trim());
}
