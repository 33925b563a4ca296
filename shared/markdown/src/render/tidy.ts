import type { Element, ElementContent, Root, Text } from "hast";
import { toString as textOf } from "mdast-util-to-string";
import { SKIP, visit } from "unist-util-visit";

export function element(
  tagName: string,
  properties: Element["properties"],
  ...children: ElementContent[]
): Element {
  return { type: "element", tagName, properties, children };
}

function text(value: string): Text {
  return { type: "text", value };
}

export function isElement(node: unknown, tagName: string): node is Element {
  return (node as Element | undefined)?.type === "element" && (node as Element).tagName === tagName;
}

/**
 * Images the page would have to fetch become links, so that opening it asks nothing of anyone; inside a link, only
 * the words for the image are left. Images that are data: URIs stay.
 */
export function linkImages(tree: Root): void {
  const replace = (parent: Root | Element, inLink: boolean) => {
    parent.children = parent.children.map((node) => {
      if (node.type !== "element") return node;
      if (node.tagName !== "img") {
        replace(node, inLink || node.tagName === "a");
        return node;
      }
      const { src, alt } = node.properties;
      if (typeof src === "string" && /^data:image\/[a-z0-9.+-]+[;,]/i.test(src)) {
        node.properties.alt = typeof alt === "string" ? alt : "";
        return node;
      }
      const words = text(typeof alt === "string" && alt.trim() !== "" ? alt : "Image");
      return inLink || typeof src !== "string" ? words : element("a", { href: src }, words);
    }) as Element["children"];
  };
  replace(tree, false);
}

/** Unwraps links that are not http, https, mailto or a place on the page: they would lead nowhere from one file. */
export function tidyLinks(tree: Root): void {
  visit(tree, "element", (node, index, parent) => {
    if (node.tagName !== "a" || parent === undefined || index === undefined) return;
    const href = node.properties.href;
    if (typeof href === "string" && /^(?:https?:\/\/|mailto:|#)/i.test(href)) {
      if (!href.startsWith("#")) node.properties.rel = ["noopener", "noreferrer"];
      return;
    }
    parent.children.splice(index, 1, ...node.children);
    return [SKIP, index];
  });
}

/**
 * Alignment of table cells as classes (the attribute is obsolete), wide tables in a box that scrolls, and names for
 * the boxes of task lists.
 */
export function tidyElements(tree: Root): void {
  visit(tree, "element", (node, index, parent) => {
    const { align } = node.properties;
    if (align !== undefined) {
      delete node.properties.align;
      if (/^(?:left|center|right)$/.test(String(align))) node.properties.className = [`align-${align}`];
    }
    if (node.tagName === "input") node.properties.ariaLabel = node.properties.checked ? "done" : "not done";
    const wrapped = isElement(parent, "div") && parent.properties.className !== undefined;
    if (node.tagName === "table" && !wrapped && parent !== undefined && index !== undefined) {
      parent.children[index] = element(
        "div",
        { className: ["table"], role: "group", ariaLabel: "Table", tabIndex: 0 },
        node,
      );
    }
  });
}

const calloutPattern = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i;

/** Quotes that begin with `[!TIP]` and its kin become notes with that title. */
export function callouts(tree: Root): void {
  visit(tree, "element", (node) => {
    if (node.tagName !== "blockquote") return;
    const first = node.children.find((child) => child.type === "element");
    const opening = isElement(first, "p") ? first.children[0] : undefined;
    const match = opening?.type === "text" ? calloutPattern.exec(opening.value) : null;
    if (match === null || opening?.type !== "text" || !isElement(first, "p")) return;
    opening.value = opening.value.slice(match[0].length);
    if (opening.value === "") {
      first.children.shift();
      if (isElement(first.children[0], "br")) first.children.shift();
    }
    if (textOf(first).trim() === "") node.children = node.children.filter((child) => child !== first);
    const kind = (match[1] ?? "").toLowerCase();
    const title = kind.charAt(0).toUpperCase() + kind.slice(1);
    node.tagName = "div";
    node.properties = { className: ["callout", `callout-${kind}`], role: "note" };
    node.children.unshift(element("p", { className: ["callout-title"] }, text(title)));
  });
}

/** Citation markers of known numbers, `[3]`, become links to `#ref-3`; not in code and not in links. */
export function linkCitations(tree: Root, known: ReadonlySet<number>): void {
  visit(tree, (node, index, parent) => {
    if (node.type === "element" && ["a", "code", "pre"].includes(node.tagName)) return SKIP;
    if (node.type !== "text" || parent === undefined || index === undefined) return;
    const parts = node.value.split(/(\[\d{1,4}\])/);
    const linked = parts.filter((part) => part !== "").map((part) => citation(part, known) ?? text(part));
    parent.children.splice(index, 1, ...linked);
    return [SKIP, index + linked.length];
  });
}

function citation(part: string, known: ReadonlySet<number>): Element | undefined {
  const digits = /^\[(\d+)\]$/.exec(part)?.[1];
  if (digits === undefined || !known.has(Number(digits))) return undefined;
  const properties = { href: `#ref-${Number(digits)}`, ariaLabel: `Reference ${Number(digits)}` };
  return element("sup", { className: ["citation"] }, element("a", properties, text(part)));
}

/** Keeps citation markers on the line of the word they follow. Changes text, so ids must have been given before. */
export function bindCitations(tree: Root): void {
  visit(tree, "element", (node, index, parent) => {
    const before = parent?.children[(index ?? 0) - 1];
    if (!isCitation(node) || before?.type !== "text") return;
    before.value = before.value.replace(/[ \n]$/, "\u00a0");
  });
}

function isCitation(node: Element): boolean {
  return Array.isArray(node.properties.className) && node.properties.className.includes("citation");
}

export interface RenderedHeading {
  depth: number;
  text: string;
  id: string;
}

/**
 * Makes ids unique (a heading gets the next free number, other elements lose theirs), unwraps links to places that
 * do not exist, and lists the headings.
 *
 * @param reserved ids that the page around the article uses; links to them stay
 */
export function settleIds(tree: Root, reserved: ReadonlySet<string>): RenderedHeading[] {
  const taken = new Set(reserved);
  const headings: RenderedHeading[] = [];
  visit(tree, "element", (node) => {
    const depth = /^h([1-6])$/.exec(node.tagName)?.[1];
    if (typeof node.properties.id !== "string") return;
    const wanted = node.properties.id === "" ? "section" : node.properties.id;
    let id = wanted;
    for (let count = 1; taken.has(id) && depth !== undefined; count++) id = `${wanted}-${count}`;
    if (taken.has(id)) {
      delete node.properties.id;
      return;
    }
    node.properties.id = id;
    taken.add(id);
    if (depth !== undefined && id !== "footnote-label") {
      headings.push({ depth: Number(depth), text: textOf(node).replace(/\s+/g, " ").trim(), id });
    }
  });
  visit(tree, "element", (node, index, parent) => {
    const href = node.properties.href;
    if (typeof href !== "string" || !href.startsWith("#") || taken.has(decoded(href.slice(1)))) return;
    if (parent === undefined || index === undefined) return;
    parent.children.splice(index, 1, ...node.children);
    return [SKIP, index];
  });
  return headings;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
