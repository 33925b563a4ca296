import { boundNames, childrenOf, isNode, statementsOf, type TreeNode } from "./javascript-tree.ts";

interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * JavaScript as a script whose top-level names other scripts of the same process see, on the same lines. Scripts are
 * that already. What only works in a module or a function (import, export, top-level await or return) is put into
 * an async function whose declarations become assignments to globals.
 */
export async function sharedScope(code: string, kind: "module" | "script"): Promise<string> {
  if (kind === "script" && !(await hasTopLevelReturn(code))) return code;
  const statements = await statementsOf(code, kind);
  const edits = statements.flatMap((statement) => edited(statement, code));
  for (const statement of statements) replaceImportMeta(statement, edits);
  const names = [...new Set(statements.flatMap(boundNames))];
  const functions = statements.flatMap((statement) => functionName(statement) ?? []);
  const globals = names.length === 0 ? "" : `var ${names.join(", ")};`;
  const shared = functions.map((name) => `globalThis.${name} = ${name};`).join("");
  const strict = kind === "module" ? '"use strict";' : "";
  return `${globals}(async () => {${strict}${shared}${apply(code, edits)}\n})()`;
}

async function hasTopLevelReturn(code: string): Promise<boolean> {
  const { parseSync } = await import("oxc-parser");
  return parseSync("block.js", code, { sourceType: "script" }).errors.length > 0;
}

function edited(statement: TreeNode, code: string): Edit[] {
  const { start, end } = statement;
  switch (statement.type) {
    case "VariableDeclaration":
      return assignments(statement);
    case "ClassDeclaration":
      return [
        { start, end: start, text: `;${boundNames(statement)[0]} = ` },
        { start: end, end, text: ";" },
      ];
    case "ImportDeclaration":
      return [{ start, end, text: importText(statement, code) }];
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration": {
      const declaration = statement["declaration"];
      if (!isNode(declaration)) return [{ start, end, text: blank(code, start, end) }];
      const named = boundNames(declaration).length > 0;
      return [
        { start, end: declaration.start, text: named ? "" : ";void " },
        ...(named ? edited(declaration, code) : []),
      ];
    }
    case "ExportAllDeclaration":
      return [{ start, end, text: `;await import(${sourceText(statement, code)});` }];
    default:
      return [];
  }
}

/** `const a = 1, { b } = c` becomes `;(a = 1), ({ b } = c);` */
function assignments(statement: TreeNode): Edit[] {
  const declarators = childrenOf(statement);
  const first = declarators[0];
  if (first === undefined) return [];
  const edits: Edit[] = [{ start: statement.start, end: first.start, text: ";" }];
  for (const declarator of declarators) {
    const text = isNode(declarator["init"]) ? ")" : " = undefined)";
    edits.push(
      { start: declarator.start, end: declarator.start, text: "(" },
      { start: declarator.end, end: declarator.end, text },
    );
  }
  const last = declarators.at(-1) as TreeNode;
  edits.push({ start: last.end, end: statement.end, text: ";" });
  return edits;
}

function importText(statement: TreeNode, code: string): string {
  const request = `await import(${sourceText(statement, code)})`;
  const parts: string[] = [];
  const named: string[] = [];
  for (const specifier of childrenOf(statement)) {
    if (!isNode(specifier["local"])) continue;
    const local = String(specifier["local"]["name"]);
    if (specifier.type === "ImportNamespaceSpecifier") parts.push(`${local} = ${request};`);
    else named.push(`${importedName(specifier, code)}: ${local}`);
  }
  if (named.length > 0) parts.push(`({ ${named.join(", ")} } = ${request});`);
  if (parts.length === 0) parts.push(`${request};`);
  return `;${parts.join("")}${blank(code, statement.start, statement.end)}`;
}

function importedName(specifier: TreeNode, code: string): string {
  const imported = specifier["imported"];
  return isNode(imported) ? code.slice(imported.start, imported.end) : "default";
}

function sourceText(statement: TreeNode, code: string): string {
  const source = statement["source"] as TreeNode;
  return code.slice(source.start, source.end);
}

/** The line breaks of a piece of code, so that what follows stays on its line. */
function blank(code: string, start: number, end: number): string {
  return code.slice(start, end).replace(/[^\n]/g, "");
}

function functionName(statement: TreeNode): string | null {
  const declared = isNode(statement["declaration"]) ? statement["declaration"] : statement;
  return declared.type === "FunctionDeclaration" ? (boundNames(declared)[0] ?? null) : null;
}

function replaceImportMeta(statement: TreeNode, edits: Edit[]): void {
  const open = [statement];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "MetaProperty" && isNode(node["meta"]) && node["meta"]["name"] === "import")
      edits.push({ start: node.start, end: node.end, text: "$importMeta" });
    else open.push(...childrenOf(node));
  }
}

function apply(code: string, edits: readonly Edit[]): string {
  let text = "";
  let at = 0;
  // Of several edits at one place, those that remove nothing were meant to come first.
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    text += code.slice(at, edit.start) + edit.text;
    at = Math.max(at, edit.end);
  }
  return text + code.slice(at);
}
