import { readJavaScript, transpile } from "../syntax/javascript-syntax.ts";
import type { PythonHelper } from "../syntax/python-helper.ts";
import type { Family } from "./candidate.ts";
import { boundNames, childrenOf, statementsOf, type TreeNode } from "./javascript-tree.ts";

/** What a block shares with others. */
export interface BlockNames {
  /** Names assigned, defined or imported at its top level. */
  bound: ReadonlySet<string>;
  /** Names read anywhere in it. */
  read: ReadonlySet<string>;
  /** Its last statement is an expression, whose value a notebook would show. */
  endsWithExpression: boolean;
}

/** The names of a block; of one that does not parse, those that its single lines bind. */
export async function blockNames(
  family: Family,
  block: { code: string; transcript: boolean },
  python: PythonHelper | null,
  signal: AbortSignal,
): Promise<BlockNames> {
  if (family === "python") {
    if (python === null) return { bound: new Set(), read: new Set(), endsWithExpression: false };
    const names = await python.names(block, signal);
    return {
      bound: new Set(names.bound),
      read: new Set(names.read),
      endsWithExpression: names.ends_with_expression,
    };
  }
  const code = family === "typescript" ? (await transpile(block.code)).code : block.code;
  const kind = code === null ? null : (await readJavaScript(code)).kind;
  if (code === null || kind === null) {
    return { bound: lineNames(block.code), read: new Set(), endsWithExpression: false };
  }
  const statements = await statementsOf(code, kind);
  const read = new Set<string>();
  for (const statement of statements) collectRead(statement, read);
  return {
    bound: new Set(statements.flatMap(boundNames)),
    read,
    endsWithExpression: statements.at(-1)?.type === "ExpressionStatement",
  };
}

/** Without recursion: a chain of a thousand calls is as deep as it is long. */
function collectRead(statement: TreeNode, into: Set<string>): void {
  const open = [statement];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "Identifier") into.add(String(node["name"]));
    const skipped =
      node["computed"] === true
        ? undefined
        : node.type === "MemberExpression"
          ? node["property"]
          : node["key"];
    // The key of `{ a }` is its value as well, and is met there.
    for (const child of childrenOf(node)) if (child !== skipped) open.push(child);
  }
}

function lineNames(code: string): Set<string> {
  const found = new Set<string>();
  for (const line of code.split("\n")) {
    const declaration =
      /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:const|let|var|function\*?|class)\s+([\w$]+)/.exec(line);
    if (declaration?.[1] !== undefined) found.add(declaration[1]);
    const list = /^(?:(?:const|let|var)\s*\{([^}]*)\}\s*=|import\s+(?:[\w$]+\s*,\s*)?\{([^}]*)\})/.exec(line);
    for (const part of (list?.[1] ?? list?.[2] ?? "").split(",")) {
      const name = part
        .split(/:|\bas\b/)
        .at(-1)
        ?.trim();
      if (name) found.add(name);
    }
    const whole = /^import\s+(?:\*\s+as\s+)?([\w$]+)\b/.exec(line);
    if (whole?.[1] !== undefined) found.add(whole[1]);
  }
  return found;
}
