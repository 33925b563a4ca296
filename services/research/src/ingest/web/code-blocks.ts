import type { HtmlDocument, HtmlElement } from "./html-document.ts";

/**
 * Brings the many ways in which pages show code (line tables, one element a line, tabs, copy buttons, language
 * in a class of some wrapper) into one: `<pre><code class="language-x">text</code></pre>`, with no wrapper that
 * an extractor could take for furniture. Panels of tabs are kept even where only one of them is shown.
 */
export function normaliseCodeBlocks(document: HtmlDocument): void {
  const blocksInTables = blockCounts();
  for (const table of [...document.querySelectorAll("table")]) unwrapLineTable(table, blocksInTables);
  const blocksIn = blockCounts();
  for (const pre of [...document.querySelectorAll("pre")]) {
    const language = languageOf(pre, blocksIn);
    const text = codeText(pre);
    const code = document.createElement("code");
    if (language !== null) code.setAttribute("class", `language-${language}`);
    code.textContent = text;
    const clean = document.createElement("pre");
    clean.append(code);
    reveal(pre);
    pre.replaceWith(clean);
    hoist(clean);
  }
}

/** A table whose one row holds line numbers and code is the code. */
function unwrapLineTable(table: HtmlElement, blocksIn: BlockCounts): void {
  const blocks = [...table.querySelectorAll("pre")];
  if (blocks.length === 0 || [...table.querySelectorAll("tr")].length !== 1) return;
  const code = blocks.filter((block) => !isGutter(block)).at(-1);
  const isListing = /highlight|rouge|code|listing|linen/i.test(
    `${table.className} ${table.parentElement?.className}`,
  );
  if (code === undefined || (!isListing && blocks.length < 2)) return;
  const language = languageOf(code, blocksIn);
  if (language !== null) code.setAttribute("data-language", language);
  table.replaceWith(code);
}

function isGutter(block: HtmlElement): boolean {
  return (
    /gutter|line-?no|linenumber/i.test(`${block.className} ${block.closest("td")?.className ?? ""}`) ||
    /^[\s\d]+$/.test(block.textContent)
  );
}

const languageClass =
  /(?:^|\s)(?:(?:language|lang|highlight-source|highlight|source|syntax)-|brush:\s*)([a-z][a-z0-9+#.-]*)(?=[\s;]|$)/i;
const notLanguages = new Set([
  "default",
  "none",
  "text",
  "notranslate",
  "wrapper",
  "code",
  "block",
  "plaintext",
  "plain",
]);
/** Pandoc, Rouge and others name the language as a class of its own, next to one of these. */
const besideLanguage = /(?:^|\s)(?:sourceCode|brush|prettyprint|hljs)(?=\s|$)/;
const furniture = new Set([
  "sourcecode",
  "brush",
  "prettyprint",
  "hljs",
  "linenums",
  "numberlines",
  "numbersource",
]);

/** The language that the block, the code element in it or one of three wrappers around it names, or null. */
function languageOf(pre: HtmlElement, blocksIn: BlockCounts): string | null {
  const code = pre.querySelector("code");
  const own = (code === null ? null : namedLanguage(code)) ?? namedLanguage(pre);
  let outer = pre.parentElement;
  for (let level = 0; own === null && outer !== null && level < 3; level += 1) {
    const language = namedLanguage(outer);
    if (language !== null) return blocksIn(outer) === 1 ? language : null;
    outer = outer.parentElement;
  }
  return own;
}

type BlockCounts = (element: HtmlElement) => number;

/** Counts the blocks in an element; each element once, for a wrapper may hold thousands. */
function blockCounts(): BlockCounts {
  const counts = new Map<HtmlElement, number>();
  return (element) => {
    const count = counts.get(element) ?? [...element.querySelectorAll("pre")].length;
    counts.set(element, count);
    return count;
  };
}

function namedLanguage(element: HtmlElement): string | null {
  const attribute = element.getAttribute("data-language") ?? element.getAttribute("data-lang");
  const classes = element.getAttribute("class") ?? "";
  const named = attribute ?? languageClass.exec(classes)?.[1] ?? classBeside(classes);
  const language = named?.trim().toLowerCase();
  return language === undefined || notLanguages.has(language) || !/^[a-z][\w+#.-]{0,30}$/.test(language)
    ? null
    : language;
}

function classBeside(classes: string): string | undefined {
  if (!besideLanguage.test(classes)) return undefined;
  return classes.split(/\s+/).find((name) => name !== "" && !furniture.has(name.toLowerCase()));
}

/** The text of a block as it is shown: without buttons and line numbers, with its line breaks. */
function codeText(pre: HtmlElement): string {
  const unwanted =
    "button, script, style, .lineno, .linenos, .line-number, .line-numbers-rows, .hljs-ln-numbers, .copy, .copybtn, .sr-only";
  for (const element of [...pre.querySelectorAll(unwanted)]) element.remove();
  for (const br of [...pre.querySelectorAll("br")]) br.replaceWith("\n");
  for (const line of [...pre.querySelectorAll("div, li, tr, p, span.line, span[data-line], code.line")]) {
    const next = line.nextSibling;
    if (next !== null && !line.textContent.endsWith("\n") && !next.textContent.startsWith("\n"))
      line.append("\n");
  }
  return pre.textContent.replaceAll("\r\n", "\n").replace(/^\n+/, "").trimEnd();
}

/** Tab panels that are not in front are hidden; their code is content all the same. */
function reveal(pre: HtmlElement): void {
  for (let outer = pre.parentElement; outer !== null; outer = outer.parentElement) {
    const isPanel =
      outer.getAttribute("role") === "tabpanel" || /tab|code|panel|snippet/i.test(outer.className ?? "");
    if (!isPanel) continue;
    outer.removeAttribute("hidden");
    outer.removeAttribute("aria-hidden");
    outer.removeAttribute("style");
  }
}

const wrapperClass = /tab|code|highlight|snippet|listing|example|sourceCode|clipboard|copy/i;
const wrapperLabel = 160;
/** A wrapper has few parts; what has more is the page. */
const mostParts = 60;

/** Takes code out of wrappers that hold nothing but code and labels such as the names of tabs or a copy button. */
function hoist(pre: HtmlElement): void {
  for (let outer = pre.parentElement; outer !== null; outer = pre.parentElement) {
    if (!/^(?:DIV|FIGURE|SECTION|SPAN|RD-CODE|DEVSITE-CODE)$/.test(outer.nodeName)) return;
    if (outer.children.length > mostParts) return;
    const blocks = [...outer.querySelectorAll("pre")];
    const codeLength = blocks.reduce((sum, block) => sum + visibleLength(block), 0);
    const besides = visibleLength(outer) - codeLength;
    if (besides > (wrapperClass.test(outer.className ?? "") ? wrapperLabel : 0)) return;
    const rich = outer.querySelector("h1, h2, h3, h4, p, ul, ol, table, img");
    if (rich !== null && besides > 0) return;
    outer.replaceWith(...blocks);
  }
}

function visibleLength(element: HtmlElement): number {
  return element.textContent.replace(/\s+/g, "").length;
}
