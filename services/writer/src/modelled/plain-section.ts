import { extractFences, locateMarkdown, type Range, replaceFence } from "@proofroom/markdown";
import { visible } from "@proofroom/models";
import type { Nodes, Parents } from "mdast";
import { escapeText } from "../extractive/section-markdown.ts";

interface Edit extends Range {
  by: string;
}

/** One change can bring another to light: a tag that is escaped, the address in it. */
const mostPasses = 5;

/** A section has no need of more; parsers take long over it. */
const tooDeep = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])[ \t]?){12}/m;
const mostFences = 30;

const listOfReferences =
  /^(?:references|sources|bibliography|citations|works cited|further reading|table of contents|contents)\W*$/i;
const labelledLikeMarker = /^\[?(S\d+(?:\s*[,;]\s*S\d+)*)\]?$/;
const markers = /\[\s*S\d+(?:\s*[,;]\s*S\d+)*\s*\](?:\s*\[\s*S\d+(?:\s*[,;]\s*S\d+)*\s*\])+/g;
const foreignFootnotes = /\[\^[^\]\s]{1,40}\](?![(:])/g;
const calloutMark = /^\[![a-z]+\][ \t]*\n?/i;

/** Why a text cannot be one section of an article, as the model is told. */
export class Unframed {
  readonly hint: string;

  constructor(hint: string) {
    this.hint = hint;
  }
}

/**
 * What a model wrote as the plain body of one section: without HTML, images, footnotes and definitions, headings of the
 * third level alone, and no list of references; nothing invisible. It links only what the evidence links, so that an article leads
 * nobody where no source does, and nothing in it reaches into what stands behind it.
 * @param isKnown whether the evidence has an address
 */
export function plainSection(text: string, isKnown: (url: string) => boolean): string | Unframed {
  let body = withoutFrontMatter(visible(text.replace(/\r\n?/g, "\n")).trim());
  if (tooDeep.test(body)) return new Unframed("Its lists or quotes are nested too deeply.");
  if (extractFences(body).length > mostFences) return new Unframed("It has far too many blocks of code.");
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const edits = editsOf(body, isKnown);
    if (edits instanceof Unframed) return edits;
    if (edits.length === 0) return withPlainFences(body);
    body = withoutFrontMatter(edited(body, edits).trim());
  }
  return new Unframed("Its markup is too tangled: write plain Markdown.");
}

/** At its beginning a parser would pass over it. */
function withoutFrontMatter(text: string): string {
  return text.replace(/^(?:---[ \t]*(?:\n+|$))+/, "");
}

function edited(text: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue;
    result += text.slice(at, start) + by;
    at = end;
  }
  return result + text.slice(at);
}

function editsOf(text: string, isKnown: (url: string) => boolean): Edit[] | Unframed {
  if (hasOpenFormula(text)) return new Unframed("It has a formula that does not end: close it with $$.");
  const { root, rangeOf } = locateMarkdown(text);
  const edits: Edit[] = [];
  let disguised = false;
  /** Of a node, the text between its delimiters. */
  const inner = ({ children }: Parents) => {
    const [first, last] = [children[0], children.at(-1)];
    return first === undefined || last === undefined
      ? ""
      : text.slice(rangeOf(first).start, rangeOf(last).end);
  };
  const visit = (node: Nodes, parent: Parents | null) => {
    const range = rangeOf(node);
    const by = node === root ? null : replacement(node, parent, text.slice(range.start, range.end));
    if (by !== null) edits.push({ ...range, by });
    if (by === null && "children" in node) for (const child of node.children) visit(child, node);
  };
  const replacement = (node: Nodes, parent: Parents | null, raw: string): string | null => {
    switch (node.type) {
      case "html":
        return isFlow(parent) || raw.startsWith("<!--") ? "" : `\\${raw}`;
      case "image":
        return escapeText(node.alt ?? "");
      case "definition":
      case "footnoteDefinition":
      case "footnoteReference":
        return "";
      case "heading":
        return heading(inner(node), raw, node === root.children[0]);
      case "link": {
        const label = node.position === undefined ? "" : inner(node);
        const marker = labelledLikeMarker.exec(label)?.[1];
        if (marker !== undefined) return `[${marker}]`;
        if (/^https?:\/\//i.test(node.url) && isKnown(node.url)) return null;
        // It shows as a link only once what is escaped in it is read: there is nothing to take it out of.
        if (node.position === undefined) disguised = true;
        return raw.startsWith("[") ? label : inCode(raw.replace(/^<|>$/g, ""));
      }
      case "text": {
        const plain = raw.replace(foreignFootnotes, "").replace(markers, eachOnce);
        const mended = isCallout(node, parent, root) ? plain.replace(calloutMark, "") : plain;
        return mended === raw ? null : mended;
      }
      default:
        return null;
    }
  };
  visit(root, null);
  return disguised ? new Unframed("It has a link that no source has: write no links.") : cutLists(edits);

  function cutLists(found: Edit[]): Edit[] {
    for (const [at, node] of root.children.entries()) {
      // One that opens the section stands for its title: what follows is the section.
      if (at === 0 || node.type !== "heading" || !listOfReferences.test(inner(node).replace(/[*_`]/g, "")))
        continue;
      const next = root.children.slice(at + 1).find(({ type }) => type === "heading");
      const end = next === undefined ? text.length : rangeOf(next).start;
      found.push({ start: rangeOf(node).start, end, by: "" });
    }
    return found;
  }
}

function isFlow(parent: Parents | null): boolean {
  return /^(?:root|blockquote|listItem|list|footnoteDefinition)$/.test(parent?.type ?? "root");
}

function isCallout(node: Nodes, parent: Parents | null, root: Parents): boolean {
  if (parent?.type !== "paragraph" || parent.children[0] !== node) return false;
  return root.children.some((block) => block.type === "blockquote" && block.children[0] === parent);
}

/** Of the third level, below the section's own; one that opens the section says its title again. */
function heading(title: string, raw: string, opens: boolean): string | null {
  const line = title.replace(/\s*\n[>\s]*/g, " ").trim();
  if (opens || line === "") return "";
  const wanted = `### ${line}`;
  return raw.trim() === wanted ? null : wanted;
}

function inCode(url: string): string {
  return `\`${url.replace(/`/g, "%60")}\``;
}

function eachOnce(run: string): string {
  return [...new Set(run.match(/S\d+/g))].map((id) => `[${id}]`).join("");
}

/** Whether a formula that is set apart never ends: readers of mathematics would take all that follows for it. */
function hasOpenFormula(text: string): boolean {
  const code = extractFences(text).filter((fence) => fence.nested_in === undefined);
  const lines = text.split("\n").filter((_line, at) => {
    return !code.some(({ start_line, end_line }) => at + 1 >= start_line && at + 1 <= end_line);
  });
  return lines.filter((line) => /^[\s>]*\${2,}[^$]*$/.test(line)).length % 2 === 1;
}

/** A fence names its language and says nothing else: what is run, and how, is not the model's to say. */
function withPlainFences(text: string): string | Unframed {
  let body = text;
  for (const { index, indented, nested_in } of extractFences(text)) {
    const fence = extractFences(body)[index - 1];
    if (fence === undefined || indented || nested_in !== undefined) continue;
    if (fence.unclosed) return new Unframed("It has a block of code that does not end: close its fence.");
    const info = fence.language ?? "";
    if (fence.info !== info && !isAlias(fence.info)) body = replaceFence(body, fence, { info });
  }
  return body;
}

function isAlias(info: string): boolean {
  return /^[a-z][\w+#.-]*$/i.test(info);
}
