import { randomUUID } from "node:crypto";
import type { Element, Root as HastRoot } from "hast";
import type { Root, RootContent } from "mdast";
import { visit } from "unist-util-visit";
import { extractFences, type Fence } from "../extract-fences.ts";
import { headingText } from "../headings.ts";
import { listStart } from "../list-start.ts";
import { gfmOptions } from "../parse.ts";
import { normaliseSource, parserInput } from "../source-text.ts";
import { type CodeSurroundings, highlightCode } from "./highlight.ts";
import { articleSchema } from "./sanitize-schema.ts";
import {
  bindCitations,
  callouts,
  linkCitations,
  linkImages,
  type RenderedHeading,
  settleIds,
  tidyElements,
  tidyLinks,
} from "./tidy.ts";

export interface RenderOptions {
  /** Numbers whose markers (`[3]`) become links to `#ref-3`. */
  citations?: ReadonlySet<number>;
  /** What to put around a code block. The block is the one `extractFences` gives for the article. */
  aroundCode?: (block: Fence) => CodeSurroundings;
  /** Whether to leave out a section, heading and all, up to the next heading of its depth or above. */
  omitSection?: (heading: { depth: number; text: string }) => boolean;
  /** Ids used by the page around the article: no heading takes one, and links to them stay. */
  reservedIds?: ReadonlySet<string>;
}

/** What math looks like in Markdown; without it the library that sets math is not loaded. */
const mayHoldMath = /\$\$|(?:`{3,}|~{3,})[ \t]*math\b/;

/**
 * Renders an article as HTML that is safe to publish and fetches nothing: CommonMark with GFM, `$$` math as MathML,
 * callouts, coloured code. Raw HTML is sanitised; links lead to http, https, mailto or a place on the page; images
 * other than data: URIs become links.
 *
 * @returns the HTML of the body and its headings with their ids, in order
 */
export async function renderMarkdown(
  markdown: string,
  options: RenderOptions = {},
): Promise<{ html: string; headings: RenderedHeading[] }> {
  const [{ unified }, parse, gfm, math, rehype, raw, sanitize, slug, stringify] = await Promise.all([
    import("unified"),
    import("remark-parse"),
    import("remark-gfm"),
    import("remark-math"),
    import("remark-rehype"),
    import("rehype-raw"),
    import("rehype-sanitize"),
    import("rehype-slug"),
    import("rehype-stringify"),
  ]);
  const secret = randomUUID();
  const reserved = new Set([
    ...(options.reservedIds ?? []),
    ...[...(options.citations ?? [])].map((number) => `ref-${number}`),
  ]);
  const fences = extractFences(markdown);
  const fenceOf = (code: Element) =>
    fences[Number(String(code.properties.dataFence ?? "").slice(secret.length + 1)) - 1];
  let headings: RenderedHeading[] = [];

  const html = await unified()
    .data({ micromarkExtensions: [listStart()] })
    .use(parse.default)
    .use(gfm.default, gfmOptions)
    // A single dollar is money far more often than math.
    .use(math.default, { singleDollarTextMath: false })
    .use(() => (tree: Root) => {
      markFences(tree, fences, secret);
      if (options.omitSection !== undefined) omitSections(tree, options.omitSection);
    })
    .use(rehype.default, { allowDangerousHtml: true })
    .use(raw.default)
    .use(() => linkImages)
    .use(sanitize.default, articleSchema(new RegExp(`^${secret}-\\d+$`)))
    .use(() => (tree: HastRoot) => {
      tidyLinks(tree);
      tidyElements(tree);
      callouts(tree);
      linkCitations(tree, options.citations ?? new Set());
    })
    .use(slug.default)
    .use(() => (tree: HastRoot) => {
      headings = settleIds(tree, reserved);
      bindCitations(tree);
    })
    .use(() => async (tree: HastRoot, file) => {
      if (!mayHoldMath.test(markdown)) return;
      const { default: katex } = await import("rehype-katex");
      katex({ output: "mathml", maxSize: 20, strict: "ignore" })(tree, file);
    })
    .use(() => async (tree: HastRoot) => {
      await highlightCode(
        tree,
        (code) => fenceOf(code)?.language ?? languageClass(code),
        (code) => {
          const fence = fenceOf(code);
          return fence && options.aroundCode?.(fence);
        },
      );
    })
    // Raw nodes are only those put around code: everything of the article has passed the sanitiser.
    .use(stringify.default, { allowDangerousHtml: true })
    .process(parserInput(normaliseSource(markdown)));
  return { html: String(html), headings };
}

/** Ties each code block to its fence by line, in an attribute that raw HTML in the article cannot forge. */
function markFences(tree: Root, fences: readonly Fence[], secret: string): void {
  const byLine = new Map(
    fences.filter((fence) => !fence.nested_in).map((fence) => [fence.start_line, fence.index]),
  );
  visit(tree, "code", (node) => {
    const index = byLine.get(node.position?.start.line ?? 0);
    if (index === undefined) return;
    node.data = { ...node.data, hProperties: { ...node.data?.hProperties, dataFence: `${secret}-${index}` } };
  });
}

function omitSections(tree: Root, omit: NonNullable<RenderOptions["omitSection"]>): void {
  let below = 0;
  const kept = (node: RootContent) => {
    if (node.type === "heading" && (below === 0 || node.depth <= below)) {
      below = omit({ depth: node.depth, text: headingText(node) }) ? node.depth : 0;
    }
    // Link targets and footnotes may serve the whole article.
    return below === 0 || node.type === "definition" || node.type === "footnoteDefinition";
  };
  tree.children = tree.children.filter(kept);
}

function languageClass(code: Element): string | null {
  const names = code.properties.className;
  const name = Array.isArray(names) ? names.find((one) => String(one).startsWith("language-")) : undefined;
  return name === undefined ? null : String(name).slice("language-".length).toLowerCase();
}
