import { parseHtml } from "../web/html-document.ts";

/** More links than this are not read of one page. */
const mostLinks = 5_000;

/** What a child runs: the addresses that a page links to, absolute, in the order of the page. */
export function work(payload: unknown): string[] {
  const { html, url } = payload as { html: string; url: string };
  const document = parseHtml(html);
  const stated = document.querySelector("base[href]")?.getAttribute("href");
  const base = URL.parse(stated ?? "", url)?.href ?? url;
  const links: string[] = [];
  for (const anchor of document.querySelectorAll("a[href]")) {
    const link = URL.parse(anchor.getAttribute("href") ?? "", base);
    if (link !== null) links.push(link.href);
    if (links.length === mostLinks) break;
  }
  return links;
}
