/** A page without the parts of the colophon that tell one run from another. */
export function withoutColophon(page: string): string {
  return page.replace(/<([a-z]+)[^>]*class="[^"]*colophon-(?:run|date)[^"]*"[^>]*>[\s\S]*?<\/\1>/g, "");
}
