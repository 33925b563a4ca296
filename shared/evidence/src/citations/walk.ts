import type { Nodes } from "mdast";

/** The node and all below it, in document order. */
export function* walk(node: Nodes): Generator<Nodes> {
  yield node;
  if ("children" in node) for (const child of node.children) yield* walk(child);
}
