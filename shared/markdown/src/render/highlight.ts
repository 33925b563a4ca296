import type { Element, ElementContent, Root } from "hast";
import { toString as textOf } from "mdast-util-to-string";
import { SKIP, visit } from "unist-util-visit";
import { element, isElement } from "./tidy.ts";

/** HTML to put before and behind a code block, within its figure. Trusted: it is not sanitised. */
export interface CodeSurroundings {
  before: string;
  after: string;
}

const themes = { light: "github-light-default", dark: "github-dark-default" };
/** The light theme's grey for comments is too faint to read on a tinted ground (under 4.5 : 1). */
const colorReplacements = { [themes.light]: { "#6e7781": "#656d76" } };
/** Longer code, in UTF-16 units, is shown without colours. */
const highlightLimit = 100_000;
const lineLimit = 2_000;

/**
 * Colours every code block, each in a figure of its own, for a light and a dark theme at once: tokens carry the
 * variables `--shiki-light` and `--shiki-dark`. Languages without a grammar are shown plain.
 */
export async function highlightCode(
  tree: Root,
  languageOf: (code: Element) => string | null,
  surround: (code: Element) => CodeSurroundings | undefined,
): Promise<void> {
  const found: { pre: Element; code: Element; parent: Element | Root }[] = [];
  visit(tree, "element", (node, _index, parent) => {
    const code = node.tagName === "pre" ? node.children.find((child) => isElement(child, "code")) : undefined;
    if (!isElement(code, "code") || parent === undefined) return;
    found.push({ pre: node, code, parent: parent as Element | Root });
    return SKIP;
  });
  if (found.length === 0) return;

  const { bundledLanguages } = await import("shiki/langs");
  const { bundledThemes } = await import("shiki/themes");
  const { createHighlighterCore } = await import("shiki/core");
  const { createJavaScriptRegexEngine } = await import("shiki/engine/javascript");
  const grammar = (code: Element) => {
    const language = languageOf(code);
    return language !== null && Object.hasOwn(bundledLanguages, language) ? language : "text";
  };
  const needed = [...new Set(found.map(({ code }) => grammar(code)))].filter((name) => name !== "text");
  using highlighter = await createHighlighterCore({
    engine: createJavaScriptRegexEngine({ forgiving: true }),
    themes: [bundledThemes["github-light-default"], bundledThemes["github-dark-default"]],
    langs: needed.map((name) => bundledLanguages[name as keyof typeof bundledLanguages]),
  });

  for (const { pre, code, parent } of found) {
    const value = textOf(code).replace(/\n$/, "");
    const coloured = highlighter.codeToHast(value, {
      lang: value.length > highlightLimit ? "text" : grammar(code),
      themes,
      defaultColor: false,
      colorReplacements,
      tokenizeMaxLineLength: lineLimit,
      // A limit in milliseconds would make the page depend on the machine.
      tokenizeTimeLimit: 0,
    });
    const around = surround(code);
    const children = [
      ...raw(around?.before),
      ...(coloured.children as ElementContent[]),
      ...raw(around?.after),
    ];
    parent.children.splice(
      parent.children.indexOf(pre),
      1,
      element("figure", { className: ["code-block"] }, ...children),
    );
  }
}

function raw(value: string | undefined): ElementContent[] {
  return value === undefined || value === "" ? [] : [{ type: "raw", value }];
}
