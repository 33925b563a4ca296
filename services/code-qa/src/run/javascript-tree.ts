/** A node of an ESTree syntax tree, as far as this service looks at it. */
export interface TreeNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export function isNode(value: unknown): value is TreeNode {
  return typeof value === "object" && value !== null && typeof (value as TreeNode).type === "string";
}

/** The nodes directly below a node, in source order of its properties. */
export function childrenOf(node: TreeNode): TreeNode[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

/** The top-level statements of JavaScript that is known to parse as `kind`. */
export async function statementsOf(code: string, kind: "module" | "script"): Promise<TreeNode[]> {
  const { parseSync } = await import("oxc-parser");
  const name = kind === "module" ? "block.mjs" : "block.cjs";
  const result = parseSync(name, code, { sourceType: kind === "module" ? "module" : "commonjs" });
  return result.program.body as unknown as TreeNode[];
}

/** The names that a binding pattern binds: `a`, `{ a, b: [c] }`, `a = 1`, `...rest`. */
function patternNames(pattern: TreeNode): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [String(pattern["name"])];
    case "Property":
      return isNode(pattern["value"]) ? patternNames(pattern["value"]) : [];
    case "AssignmentPattern":
      return isNode(pattern["left"]) ? patternNames(pattern["left"]) : [];
    case "ObjectPattern":
    case "ArrayPattern":
    case "RestElement":
      return childrenOf(pattern).flatMap(patternNames);
    default:
      return [];
  }
}

/** The names that a top-level statement binds. */
export function boundNames(statement: TreeNode): string[] {
  switch (statement.type) {
    case "VariableDeclaration":
      return childrenOf(statement).flatMap((declarator) =>
        isNode(declarator["id"]) ? patternNames(declarator["id"]) : [],
      );
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return isNode(statement["id"]) ? patternNames(statement["id"]) : [];
    case "ImportDeclaration":
      return childrenOf(statement).flatMap((specifier) =>
        isNode(specifier["local"]) ? patternNames(specifier["local"]) : [],
      );
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration":
      return isNode(statement["declaration"]) ? boundNames(statement["declaration"]) : [];
    case "ExpressionStatement": {
      const expression = statement["expression"];
      const assigned = isNode(expression) && expression.type === "AssignmentExpression" && expression["left"];
      return isNode(assigned) ? patternNames(assigned) : [];
    }
    default:
      return [];
  }
}
