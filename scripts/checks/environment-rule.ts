import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { type Check, oneResult } from "./check.ts";
import { sourceFiles } from "./import-rules.ts";

/** Where the environment may be read: each program's `main.ts`, the telemetry bootstrap, the chores in scripts/, and tests with what only they use. */
const MAY_READ = [
  /\/main\.ts$/,
  /^shared\/telemetry\/src\/bootstrap\.ts$/,
  /^scripts\//,
  /\.test\.ts$/,
  /\/src\/testing\//,
  /^shared\/testing\//,
];

export const environmentRule: Check = {
  name: "environment only in main.ts",
  async run({ root }) {
    const readers = sourceFiles(root)
      .filter((file) => !MAY_READ.some((pattern) => pattern.test(file)))
      .flatMap((file) =>
        environmentReads(readFileSync(join(root, file), "utf8")).map(
          (line) => `${file}:${line} reads process.env`,
        ),
      );
    return oneResult(readers.length === 0, readers.join("\n"));
  },
};

/** The lines (from 1) on which a TypeScript source reaches for `process.env`, in whatever spelling. */
export function environmentReads(source: string): number[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true);
  const lines: number[] = [];
  const visit = (node: ts.Node) => {
    if (readsEnvironment(node)) lines.push(file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lines;
}

function readsEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === "env" && isProcess(node.expression);
  if (ts.isElementAccessExpression(node)) {
    return isText(node.argumentExpression, "env") && isProcess(node.expression);
  }
  if (ts.isVariableDeclaration(node)) {
    return node.initializer !== undefined && isProcess(node.initializer) && bindsEnvironment(node.name);
  }
  if (ts.isImportDeclaration(node)) return importsEnvironment(node);
  return false;
}

/** `process`, `globalThis.process` or `global.process`. */
function isProcess(node: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(node))
    return node.name.text === "process" && ts.isIdentifier(node.expression);
  return ts.isIdentifier(node) && node.text === "process";
}

function bindsEnvironment(name: ts.BindingName): boolean {
  if (!ts.isObjectBindingPattern(name)) return false;
  return name.elements.some(
    (element) => element.dotDotDotToken !== undefined || isText(element.propertyName ?? element.name, "env"),
  );
}

function importsEnvironment(node: ts.ImportDeclaration): boolean {
  const from = node.moduleSpecifier;
  if (!isText(from, "node:process") && !isText(from, "process")) return false;
  const bindings = node.importClause?.namedBindings;
  if (bindings && ts.isNamedImports(bindings)) {
    return bindings.elements.some((element) => isText(element.propertyName ?? element.name, "env"));
  }
  return false;
}

function isText(node: ts.Node, text: string): boolean {
  return (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) && node.text === text;
}
