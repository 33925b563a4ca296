import type { Range } from "@proofroom/markdown";
import type { Definition, Link, Nodes } from "mdast";
import { type BareUrl, cutBareUrl, scanBareUrls, siteStars } from "./bare-urls.ts";
import { looksLikeFile, looksLikeFolder } from "./local-path.ts";
import { pathsInBlocks, type TextBlock } from "./paths-in-text.ts";
import { type GuidelineTree, rangeOf } from "./syntax-tree.ts";

/** Something in a guideline that may be a source: a link's destination (URL or path) or a path in the text. */
export interface Candidate {
  readonly offset: number;
  readonly kind: "destination" | "path";
  readonly text: string;
}

interface Visit {
  readonly node: Nodes;
  readonly next: Nodes | undefined;
  /** Whether the node is inside the label of a link, where nothing is a source. */
  readonly inLabel: boolean;
}

/** Collects every possible source of a guideline, in document order. */
export function collectCandidates({ source, root }: GuidelineTree): Candidate[] {
  const visits = visitAll(root);
  const definitions = firstDefinitions(visits);
  const imagesOnly = labelsOfImagesOnly(visits);
  const candidates: Candidate[] = [];
  const blocks: TextBlock[] = [];
  // Stretches that are no prose: paths are not looked for in them.
  const opaque: Range[] = [];
  const itemHeads = new Set<Nodes>();
  let scannedTo = 0;

  const addDestination = (offset: number, text: string) =>
    candidates.push({ offset, kind: "destination", text });
  const addBareUrls = (urls: readonly BareUrl[]) => {
    for (const url of urls) addDestination(url.start, url.url);
    opaque.push(...urls);
  };
  const scan = (from: number, to: number) => {
    addBareUrls(scanBareUrls(source, from, to));
    scannedTo = to;
  };
  const addBareLink = (link: Link, next: Nodes | undefined) => {
    const { start, end } = rangeOf(link);
    const text = next?.type === "text" ? rangeOf(next) : undefined;
    // Stars that close an emphasis are in no text.
    const after = text?.start === end ? text : undefined;
    const { url, rest } = cutBareUrl(source, start, after === undefined ? end : end + siteStars(source, end));
    if (url !== null) addBareUrls([url]);
    if (rest !== null) scan(rest, after?.end ?? end);
  };

  for (const { node, next, inLabel } of visits) {
    if (inLabel) continue;
    const range = rangeOf(node);
    switch (node.type) {
      case "listItem":
        if (node.children[0]?.type === "paragraph") itemHeads.add(node.children[0]);
        break;
      case "paragraph":
      case "heading":
      case "tableCell":
        blocks.push({ node, isItemHead: itemHeads.has(node) });
        break;
      case "text":
        scan(Math.max(range.start, scannedTo), range.end);
        break;
      case "link":
        if (isBare(node, source) && !isMail(node)) {
          addBareLink(node, next);
        } else {
          addDestination(range.start, node.url);
          opaque.push(range);
        }
        break;
      case "linkReference":
        addDestination(range.start, definitions.get(node.identifier)?.url ?? "");
        opaque.push(range);
        break;
      case "definition":
        if (definitions.get(node.identifier) === node && !imagesOnly.has(node.identifier)) {
          addDestination(range.start, node.url);
        }
        break;
      case "inlineCode":
        if (looksLikeFile(node.value) || looksLikeFolder(node.value)) {
          candidates.push({ offset: range.start, kind: "path", text: node.value });
        }
        opaque.push(range);
        break;
      case "html":
      case "image":
      case "imageReference":
      case "footnoteReference":
        opaque.push(range);
        break;
    }
  }

  for (const { offset, text } of pathsInBlocks(source, blocks, opaque)) {
    candidates.push({ offset, kind: "path", text });
  }
  return candidates.sort((a, b) => a.offset - b.offset);
}

/** All nodes in document order. Iterative, because a guideline may nest deeper than the call stack. */
function visitAll(root: Nodes): Visit[] {
  const visits: Visit[] = [];
  const pending: Visit[] = [{ node: root, next: undefined, inLabel: false }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    visits.push(visit);
    const { node } = visit;
    if (!("children" in node)) continue;
    const inLabel = visit.inLabel || node.type === "link" || node.type === "linkReference";
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) pending.push({ node: child, next: node.children[index + 1], inLabel });
    }
  }
  return visits;
}

function firstDefinitions(visits: readonly Visit[]): Map<string, Definition> {
  const first = new Map<string, Definition>();
  for (const { node } of visits) {
    if (node.type === "definition" && !first.has(node.identifier)) first.set(node.identifier, node);
  }
  return first;
}

function labelsOfImagesOnly(visits: readonly Visit[]): Set<string> {
  const images = new Set<string>();
  const links = new Set<string>();
  for (const { node } of visits) {
    if (node.type === "imageReference") images.add(node.identifier);
    if (node.type === "linkReference") links.add(node.identifier);
  }
  return images.difference(links);
}

function isBare(link: Link, source: string): boolean {
  return !"[<".includes(source.charAt(rangeOf(link).start));
}

function isMail(link: Link): boolean {
  return /^(?:mailto|xmpp):/i.test(link.url);
}
