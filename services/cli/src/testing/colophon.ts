/** A page without the parts of the colophon that tell one run from another. */
export function withoutColophon(page: string): string {
  return page.replace(/<([a-z]+)[^>]*class="[^"]*colophon-(?:run|date)[^"]*"[^>]*>[\s\S]*?<\/\1>/g, "");
}

/** An artifact without what tells one run from another: when a source was read, how long code took, the colophon of the page. */
export function withoutOneRun(name: string, text: string): string {
  if (name.endsWith(".html")) return withoutColophon(text);
  if (!name.endsWith(".json")) return text;
  return text
    .replace(/"retrieved_at": "\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"retrieved_at": ""')
    .replace(/"duration_ms": [\d.]+/g, '"duration_ms": 0');
}
