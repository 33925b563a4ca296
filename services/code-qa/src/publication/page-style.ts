/** Colours, type and layout of the page, for screen in light and dark. */
const base = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1f2328, #e3e7ec);
  --quiet: light-dark(#59626c, #9aa5b1);
  --page: light-dark(#ffffff, #0f1318);
  --raised: light-dark(#f6f7f9, #161b22);
  --code: light-dark(#fafbfc, #11161d);
  --line: light-dark(#d9dee4, #2b333d);
  --accent: light-dark(#0a5a9c, #7cbcf5);
  --good: light-dark(#136c37, #6fcf8f);
  --good-back: light-dark(#e3f4e9, #12291b);
  --warn: light-dark(#7d4e00, #e5b454);
  --warn-back: light-dark(#fdf2d8, #2e2410);
  --bad: light-dark(#a4161f, #ff9492);
  --bad-back: light-dark(#fdeaea, #35181a);
  --info: light-dark(#0a5a9c, #7cbcf5);
  --rare: light-dark(#6a36b0, #c9a5f7);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1.5rem; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1.0625rem/1.65 var(--sans); text-rendering: optimizeLegibility;
  font-kerning: normal; hanging-punctuation: first; overflow-wrap: break-word;
}
a { color: var(--accent); text-decoration-thickness: 0.06em; text-underline-offset: 0.18em; }
a:hover { text-decoration-thickness: 0.12em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100vw; padding: 0.5rem 1rem; background: var(--page); }
.skip:focus { left: 0; z-index: 2; }
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.quiet { color: var(--quiet); }
.note { color: var(--quiet); font-size: 0.875rem; line-height: 1.5; }
summary { cursor: pointer; }
`;

const frame = `
.status { border-bottom: 1px solid var(--line); font-size: 0.9375rem; line-height: 1.5; }
.status.approved { background: var(--good-back); }
.status.draft { background: var(--warn-back); border-bottom: 3px solid var(--warn); }
.status-inner { max-width: 46rem; margin: 0 auto; padding: 0.8rem 8.5rem 0.8rem 1.5rem; position: relative; }
.status p, .status ul { margin: 0; }
.status strong { text-transform: uppercase; letter-spacing: 0.06em; font-size: 0.875em; margin-right: 0.5em; }
.status.approved strong { color: var(--good); }
.status.draft strong { color: var(--warn); }
.status-facts { color: var(--quiet); }
.status .status-reasons { margin: 0.35rem 0 0; }
.status-reasons ul { padding: 0.25rem 0 0.1rem 1.25rem; max-width: 60rem; }
.status-reasons li { margin: 0.2rem 0; }
button {
  font: inherit; font-size: 0.8125rem; line-height: 1.2; color: var(--text); background: var(--page);
  border: 1px solid var(--line); border-radius: 6px; padding: 0.3rem 0.65rem; cursor: pointer;
}
button:hover { border-color: var(--quiet); }
button[hidden] { display: none; }
button.theme { position: absolute; right: 1.5rem; top: 0.7rem; }
.layout { max-width: 74rem; margin: 0 auto; padding: 0 1.5rem; }
main, .colophon { max-width: 43rem; margin: 0 auto; min-width: 0; }
main { padding: 2.5rem 0 3.5rem; }
.contents { font-size: 0.9rem; line-height: 1.4; padding-top: 1.5rem; max-width: 43rem; margin: 0 auto; }
.contents summary { font-weight: 600; padding: 0.3rem 0; }
.contents ol { list-style: none; margin: 0; padding: 0; }
.contents ol ol { padding-left: 1rem; }
.contents a { display: block; padding: 0.28rem 0; color: var(--quiet); text-decoration: none; }
.contents a:hover { color: var(--accent); text-decoration: underline; }
@media (min-width: 68rem) {
  .layout { display: grid; grid-template-columns: 15rem minmax(0, 43rem); column-gap: 4.5rem; justify-content: center; }
  .layout.plain { display: block; }
  .status-inner { max-width: 65.5rem; }
  main, .colophon { margin: 0; width: 100%; grid-column: 2; }
  main { padding-top: 3.5rem; }
  .layout.plain main, .layout.plain .colophon { margin: 0 auto; }
  .contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; margin: 0; padding: 3.9rem 0 2rem; }
}
`;

const article = `
h1, h2, h3, h4, h5, h6 { line-height: 1.25; text-wrap: balance; font-weight: 650; margin: 2.2em 0 0.6em; }
h1 { font-size: clamp(1.9rem, 1.4rem + 2.2vw, 2.5rem); line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 1.2rem; }
h2 { font-size: 1.5rem; letter-spacing: -0.012em; padding-top: 0.2em; }
h3 { font-size: 1.2rem; margin-top: 1.9em; }
h4 { font-size: 1.0625rem; }
h5, h6 { font-size: 0.9375rem; color: var(--quiet); }
h1 + h2, h2 + h3, h3 + h4 { margin-top: 0.9em; }
p, ul, ol, dl, blockquote, .table, figure, details, .callout { margin: 0 0 1.1em; }
p, li { text-wrap: pretty; }
ul, ol { padding-left: 1.5em; }
li { margin: 0.3em 0; }
li > p { margin-bottom: 0.5em; }
li > ul, li > ol { margin-bottom: 0.4em; }
li::marker { color: var(--quiet); }
.contains-task-list { list-style: none; padding-left: 0.2em; }
hr { border: 0; border-top: 1px solid var(--line); margin: 2.5em auto; }
blockquote { padding: 0.1em 0 0.1em 1.1em; border-left: 3px solid var(--line); color: var(--quiet); }
blockquote > :last-child, .callout > :last-child { margin-bottom: 0; }
img { max-width: 100%; height: auto; border-radius: 6px; }
:not(pre) > code, kbd, :not(pre) > samp {
  font: 0.875em var(--mono); background: var(--raised); border-radius: 4px; padding: 0.12em 0.32em; overflow-wrap: anywhere;
}
kbd { border: 1px solid var(--line); border-bottom-width: 2px; }
a code { color: inherit; }
mark { background: var(--warn-back); color: inherit; }
.katex math { font-size: 1.1em; }
math[display="block"] { margin: 1.2em 0; overflow-x: auto; overflow-y: hidden; max-width: 100%; }
.citation { font-size: 0.75em; line-height: 0; vertical-align: 0.4em; font-variant-numeric: tabular-nums; }
.citation a { text-decoration: none; padding: 0 0.1em; }
.citation a:hover { text-decoration: underline; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9375rem; line-height: 1.5; min-width: 50%; font-variant-numeric: tabular-nums; }
th, td { padding: 0.5rem 0.85rem 0.5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; border-bottom: 2px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
.align-center { text-align: center; }
.align-right { text-align: right; }
.callout { border-left: 4px solid var(--tone); background: var(--raised); border-radius: 0 8px 8px 0; padding: 0.85rem 1.1rem; }
.callout-title { font-weight: 650; color: var(--tone); margin-bottom: 0.3em; }
.callout-note { --tone: var(--info); }
.callout-tip { --tone: var(--good); }
.callout-important { --tone: var(--rare); }
.callout-warning { --tone: var(--warn); }
.callout-caution { --tone: var(--bad); }
.footnotes { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; font-size: 0.9rem; }
`;

const code = `
.code-block { border: 1px solid var(--line); border-radius: 8px; background: var(--code); margin: 1.5em 0; overflow: hidden; }
.code-head {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 0.6rem; padding: 0.4rem 0.5rem 0.4rem 0.9rem;
  background: var(--raised); border-bottom: 1px solid var(--line); font-size: 0.8125rem; line-height: 1.4; min-height: 2.5rem;
}
.code-name { font-weight: 600; margin-right: auto; overflow-wrap: anywhere; }
.code-file { font: 0.95em var(--mono); color: var(--quiet); margin-left: 0.4em; }
.badge { display: inline-block; font-size: 0.78rem; line-height: 1.35; font-weight: 600; border-radius: 1em; padding: 0.12rem 0.6rem; }
.badge.good { color: var(--good); background: var(--good-back); }
.badge.warn { color: var(--warn); background: var(--warn-back); }
.badge.bad { color: var(--bad); background: var(--bad-back); }
.badge.quiet { color: var(--quiet); background: none; font-weight: 500; padding-right: 0.2rem; padding-left: 0; }
pre {
  margin: 0; padding: 0.9rem; overflow-x: auto; font: 0.85rem/1.6 var(--mono); tab-size: 4;
  direction: ltr; unicode-bidi: isolate; text-align: left;
}
pre:focus-visible { outline-offset: -2px; }
.shiki, .shiki span { color: light-dark(var(--shiki-light, inherit), var(--shiki-dark, inherit)); }
.output { margin: 0; border-top: 1px solid var(--line); background: var(--page); }
.output summary { font-size: 0.8125rem; font-weight: 600; padding: 0.45rem 0.9rem; }
.output summary .quiet { font-weight: 400; }
.output pre { padding-top: 0.2rem; max-height: 26rem; overflow-y: auto; }
.output samp { font: inherit; }
.output .note { margin: 0; padding: 0 0.9rem 0.7rem; }
`;

const apparatus = `
.references, .colophon { border-top: 1px solid var(--line); line-height: 1.55; }
.references { margin-top: 3.5rem; font-size: 0.9375rem; }
.references > h2, .colophon h2 { margin-top: 1.6rem; font-size: 1.25rem; }
.references > ol { padding-left: 2.1em; }
.references > ol > li { margin: 0 0 1.1em; padding-left: 0.3em; }
.references > ol > li > p { margin: 0; }
.references li:target { background: var(--raised); box-shadow: -2.2rem 0 0 var(--raised), 0.6rem 0 0 var(--raised); padding-block: 0.6rem; margin-block: -0.6rem 0.5em; }
.reference-title { font-weight: 550; }
.reference-kind { color: var(--quiet); font-size: 0.8125rem; margin-left: 0.35em; }
.reference-kind::before { content: "· "; }
.reference-target { display: block; color: var(--quiet); font: 0.8125rem/1.5 var(--mono); overflow-wrap: anywhere; }
.reference-facts { display: block; color: var(--quiet); font-size: 0.8125rem; overflow-wrap: anywhere; }
.references details { margin: 0.3rem 0 0; }
.references summary { font-size: 0.875rem; font-weight: 550; }
.references summary .quiet { font-weight: 400; }
.claim { margin: 0.7rem 0 1.1rem; }
.claim > p { margin: 0 0 0.4rem; }
.claim .badge { margin-right: 0.25rem; }
.quote { margin: 0.4rem 0; padding: 0.1rem 0 0.1rem 0.9rem; border-left: 3px solid var(--line); }
.quote blockquote { margin: 0; padding: 0; border: 0; white-space: pre-wrap; }
.quote blockquote p { margin: 0; max-height: 18rem; overflow-y: auto; }
.quote figcaption { font-size: 0.8125rem; color: var(--quiet); margin-top: 0.15rem; }
.colophon { font-size: 0.875rem; color: var(--quiet); padding-bottom: 3rem; }
.colophon h2 { color: var(--text); font-size: 1.05rem; }
.colophon dl { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: 0.25rem 1rem; }
.colophon dt { grid-column: 1; color: var(--text); font-weight: 550; }
.colophon dd { grid-column: 2; margin: 0; }
.colophon code { font-size: 0.8125rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  body { font-size: 1rem; }
  .layout { padding: 0 1.1rem; }
  .status-inner { padding: 0.7rem 1.1rem; }
  button.theme { position: static; margin-top: 0.6rem; }
  .code-head .badge { order: 3; width: 100%; padding-left: 0; background: none; }
  .code-head .badge.quiet { padding: 0; }
  main { padding-top: 1.5rem; }
  .colophon dl { display: block; }
  .colophon dd { margin: 0 0 0.5rem; }
}
`;

const paper = `
@media print {
  @page { margin: 20mm 18mm; }
  :root, :root[data-theme] { color-scheme: light; }
  body { font-size: 10.5pt; line-height: 1.5; }
  .contents, .skip, button, .copy { display: none !important; }
  .layout, main, .colophon { display: block; max-width: none; padding: 0; margin: 0; }
  .status { border: 1pt solid currentColor; margin-bottom: 8mm; }
  .status-inner { padding: 3mm 4mm; }
  h2, h3, h4, .code-head, summary { break-after: avoid; }
  .claim, .quote, tr, .callout, img { break-inside: avoid; }
  p, li { orphans: 3; widows: 3; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 8.5pt; }
  .output pre, .quote blockquote p { max-height: none; }
  .table, .code-block { overflow: visible; }
  main > section a[href^="http"]::after, .reference-title[href]::after { content: none; }
  details::details-content { content-visibility: visible; display: block; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

/** The whole style sheet of a page. It fetches nothing: system fonts, no images. */
export const pageStyle = [base, frame, article, code, apparatus, paper].join("");
