import type { ParseError } from "jsonc-parser";
import { lineAt, type SyntaxFault } from "./javascript-syntax.ts";
import { newerToml } from "./toml-version.ts";

/** Checks a data format; null where the code is valid. */
export type DataCheck = (code: string) => Promise<SyntaxFault | null>;

/** RFC 8259: no comments, no trailing commas, no NaN. */
export async function checkJson(code: string): Promise<SyntaxFault | null> {
  try {
    JSON.parse(code);
    return null;
  } catch (error) {
    return { message: messageOf(error), line: (await firstFault(code, false))?.line ?? 1 };
  }
}

/** JSON with comments and trailing commas. */
export async function checkJsonc(code: string): Promise<SyntaxFault | null> {
  return await firstFault(code, true);
}

/** YAML 1.2: every document, duplicate keys and unknown aliases refused. */
export async function checkYaml(code: string): Promise<SyntaxFault | null> {
  const { isDocument, parseAllDocuments, visit } = await import("yaml");
  const documents = parseAllDocuments(code, { version: "1.2", uniqueKeys: true, prettyErrors: true });
  for (const document of Array.isArray(documents) ? documents : []) {
    const error = document.errors[0];
    if (error !== undefined) {
      const message = error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? "";
      return { message: `${error.name}: ${message}`, line: error.linePos?.[0].line ?? 1 };
    }
    if (!isDocument(document)) continue;
    let fault: SyntaxFault | null = null;
    visit(document, {
      Alias(_, alias) {
        if (alias.resolve(document) !== undefined) return;
        fault = {
          message: `YAMLParseError: unknown alias ${alias.source}`,
          line: lineAt(code, alias.range?.[0] ?? 0),
        };
        return visit.BREAK;
      },
    });
    if (fault !== null) return fault;
  }
  return null;
}

/** TOML 1.0. */
export async function checkToml(code: string): Promise<SyntaxFault | null> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    parse(code, { integersAsBigInt: "asNeeded" });
    return newerToml(code);
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1;
    return { message: messageOf(error).split("\n")[0] ?? "", line };
  }
}

async function firstFault(code: string, lenient: boolean): Promise<SyntaxFault | null> {
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  try {
    parse(code, errors, { disallowComments: !lenient, allowTrailingComma: lenient });
  } catch (error) {
    return { message: messageOf(error), line: 1 };
  }
  const first = errors[0];
  if (first === undefined) return null;
  return { message: `SyntaxError: ${printParseErrorCode(first.error)}`, line: lineAt(code, first.offset) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
