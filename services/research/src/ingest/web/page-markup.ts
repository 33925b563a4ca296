import type { HtmlDocument, HtmlElement } from "./html-document.ts";

const clutter = [
  "template",
  ".mw-editsection",
  "sup.reference",
  "a.headerlink",
  "a.header-anchor",
  "a.hash-link",
  "a.anchorjs-link",
  "[role=search]",
  ".cookie-banner",
];

/** Removes marks that are no part of the text: links of headings to themselves, footnote calls, edit links. */
export function removeClutter(document: HtmlDocument): void {
  for (const element of [...document.querySelectorAll(clutter.join(", "))]) element.remove();
  for (const link of [...document.querySelectorAll("h1 a, h2 a, h3 a, h4 a, h5 a, h6 a")]) {
    if (/^[\s#§¶🔗]*$/u.test(link.textContent) && link.querySelector("img") === null) link.remove();
  }
}

/** Puts TeX, where a formula carries it, in place of the markup that draws it. */
export function writeFormulas(document: HtmlDocument): void {
  for (const math of [...document.querySelectorAll("math")]) {
    const tex =
      math.querySelector('annotation[encoding="application/x-tex"]')?.textContent ??
      math.getAttribute("alttext");
    if (tex === null || tex.trim() === "") continue;
    const shown = document.createElement("code");
    shown.textContent = tex
      .trim()
      .replace(/^\{\\displaystyle\s(.*)\}$/s, "$1")
      .trim();
    (math.closest(".katex, .mwe-math-element, mjx-container") ?? math).replaceWith(shown);
  }
}

/** Makes links and images absolute; what leads to nothing that can be fetched loses its target. */
export function absoluteLinks(document: HtmlDocument, url: string): void {
  const declared = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  const base = URL.canParse(declared, url) ? new URL(declared, url).href : url;
  for (const link of [...document.querySelectorAll("a[href]")]) absolute(link, "href", base);
  for (const titled of [...document.querySelectorAll("a[title], img[title]")])
    titled.removeAttribute("title");
  for (const image of [...document.querySelectorAll("img")]) {
    absolute(image, "src", base);
    const isShown = image.hasAttribute("src") && (image.getAttribute("alt") ?? "").trim() !== "";
    if (!isShown) image.remove();
  }
}

function absolute(element: HtmlElement, name: string, base: string): void {
  const value = element.getAttribute(name);
  const url = value !== null && URL.canParse(value, base) ? new URL(value, base) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) element.setAttribute(name, url.href);
  else element.removeAttribute(name);
}

/**
 * Lets tables of data survive as Markdown: layout tables are dissolved, cells hold running text only, and every
 * table begins with a row that says how many columns there are (`data-columns`), empty where the page has none.
 */
export function normaliseTables(document: HtmlDocument): void {
  for (const table of [...document.querySelectorAll("table")].reverse()) {
    const cells = [...table.querySelectorAll("td, th")];
    const isLayout = cells.length < 2 || table.querySelector("table") !== null || isOneColumn(table);
    if (isLayout) {
      dissolve(document, table, cells);
      continue;
    }
    for (const cell of cells) flatten(document, cell);
    moveCaption(document, table);
    addHeader(document, table);
  }
}

function moveCaption(document: HtmlDocument, table: HtmlElement): void {
  for (const part of [...table.querySelectorAll("colgroup, col")]) part.remove();
  for (const caption of [...table.querySelectorAll("caption")]) {
    const paragraph = document.createElement("p");
    paragraph.append(...caption.childNodes);
    caption.remove();
    table.before(paragraph);
  }
}

const mostColumns = 100;

function addHeader(document: HtmlDocument, table: HtmlElement): void {
  const rows = [...table.querySelectorAll("tr")];
  let columns = 1;
  for (const row of rows) {
    let width = 0;
    for (const cell of row.children) {
      const span = Math.min(
        Math.max(Math.trunc(Number(cell.getAttribute("colspan") ?? 1)) || 1, 1),
        mostColumns,
      );
      cell.setAttribute("colspan", String(span));
      width += span;
    }
    columns = Math.min(Math.max(columns, width), mostColumns);
  }
  const first = rows[0];
  if (first === undefined) return;
  const isHeader =
    first.parentElement?.nodeName === "THEAD" || [...first.children].every((cell) => cell.nodeName === "TH");
  const header = isHeader ? first : document.createElement("tr");
  header.setAttribute("data-columns", String(columns));
  if (isHeader) return;
  header.append(...Array.from({ length: columns }, () => document.createElement("th")));
  first.before(header);
}

function isOneColumn(table: HtmlElement): boolean {
  const rows = [...table.querySelectorAll("tr")];
  const hasProse = table.querySelector("p, pre, ul, ol, h2, h3, h4") !== null;
  return hasProse && rows.every((row) => [...row.querySelectorAll("td, th")].length < 2);
}

function dissolve(document: HtmlDocument, table: HtmlElement, cells: HtmlElement[]): void {
  const own = cells.filter((cell) => cell.closest("table") === table);
  const parts = own.map((cell) => {
    const part = document.createElement("div");
    part.append(...cell.childNodes);
    return part;
  });
  table.replaceWith(...parts);
}

function flatten(document: HtmlDocument, cell: HtmlElement): void {
  for (const pre of [...cell.querySelectorAll("pre")]) {
    const code = document.createElement("code");
    code.textContent = pre.textContent.replace(/\s+/g, " ").trim();
    pre.replaceWith(code);
  }
  for (const heading of [...cell.querySelectorAll("h1, h2, h3, h4, h5, h6")]) {
    const strong = document.createElement("strong");
    strong.append(...heading.childNodes);
    heading.replaceWith(strong, " ");
  }
  for (const rule of [...cell.querySelectorAll("hr")]) rule.remove();
  const items = [...cell.querySelectorAll("li")];
  const lists = new Set(items.map((item) => item.parentElement));
  const last = new Set([...lists].map((list) => (list === null ? null : [...list.children].at(-1))));
  for (const item of items) {
    item.replaceWith(...item.childNodes, last.has(item) ? " " : "; ");
  }
  for (const block of [...cell.querySelectorAll("ul, ol, blockquote, p, div")]) {
    block.replaceWith(...block.childNodes, " ");
  }
}
